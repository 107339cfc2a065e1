package dev.turno.harvester.index;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;

/** Words in lower case and without accents: one index holds many languages, and people type both ways. */
public final class FoldingAnalyzer extends Analyzer {

    @Override
    protected TokenStreamComponents createComponents(String field) {
        Tokenizer words = new StandardTokenizer();
        return new TokenStreamComponents(words, new ASCIIFoldingFilter(new LowerCaseFilter(words)));
    }
}
