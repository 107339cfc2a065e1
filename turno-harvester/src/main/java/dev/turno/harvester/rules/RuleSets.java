package dev.turno.harvester.rules;

import dev.turno.harvester.network.Network;
import dev.turno.harvester.network.NetworkProperty;
import dev.turno.harvester.sql.Sql;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** The sets of rules, kept in the database. Shared by threads. */
public final class RuleSets {

    /** What a list shows of a set. */
    public record Entry(String name, Purpose purpose, Instant changedAt, String changedBy) {}

    private static final int MOST = 1_001; // the longest page, and one more that tells whether there is another

    private final Sql sql;
    private final RuleJson json = new RuleJson();

    public RuleSets(DataSource source) {
        this.sql = new Sql(source, "rules");
    }

    /** Creates the tables of rules and of what they found. */
    public void createTables() {
        sql.createTables();
    }

    /** Stores a set; one of the same name gives way. */
    public void save(RuleSet set, String who) {
        sql.transaction(connection -> {
            sql.call(connection, "save-remove").param("name", set.name()).update();
            return sql.call(connection, "save")
                    .param("name", set.name())
                    .param("purpose", set.purpose().name())
                    .param("body", json.write(set))
                    .param("who", who.substring(0, Math.min(who.length(), 200)))
                    .update();
        });
    }

    public Optional<String> exportJson(String name) {
        return sql.call("find").param("name", name).query(String.class).optional();
    }

    public Optional<RuleSet> find(String name) {
        return exportJson(name).map(json::read);
    }

    /** Stores the rules of one set under another name. */
    public RuleSet copy(String name, String as, String who) {
        RuleSet copy = require(name).cloneAs(as);
        if (find(as).isPresent()) {
            throw new RuleException("There is a set '" + as + "' already. Nothing was stored; choose another name.");
        }
        save(copy, who);
        return copy;
    }

    /** False if there is none. */
    public boolean remove(String name) {
        return sql.call("save-remove").param("name", name).update() == 1;
    }

    /** In the order of their names, after one of them. */
    public List<Entry> list(String after, int limit) {
        return sql.call("list")
                .param("after", after)
                .param("limit", Math.min(limit, MOST))
                .query((row, n) -> new Entry(
                        row.getString("name"),
                        Purpose.valueOf(row.getString("purpose")),
                        sql.moment(row, "changed_at").orElseThrow(),
                        row.getString("changed_by")))
                .list();
    }

    /**
     * What judges the records of a network, as its properties say.
     *
     * @throws RuleException if it names a set that does not exist
     */
    public Pipeline pipeline(Network network, UrlStates urls) {
        boolean validates = network.has(NetworkProperty.VALIDATE);
        boolean transforms = network.has(NetworkProperty.TRANSFORM);
        List<RuleSet> transformers = Stream.of(network.transformer(), network.secondaryTransformer())
                .flatMap(Optional::stream)
                .filter(name -> transforms)
                .map(this::require)
                .toList();
        return Pipeline.of(
                network.preValidator().filter(name -> validates).map(this::require),
                transformers,
                network.validator().filter(name -> validates).map(this::require),
                urls,
                Clock.systemUTC());
    }

    private RuleSet require(String name) {
        return find(name)
                .orElseThrow(() -> new RuleException("There is no set of rules '" + name
                        + "'. Import it, or give the network another one; nothing was judged."));
    }

    /** What the rules would make of one record; nothing is stored. */
    public DryRun dryRun(Network network, Draft draft) {
        Pipeline pipeline = pipeline(network, UrlStates.unknown());
        FieldXml xml = new FieldXml();
        String before = xml.write(draft.fields());
        Judgement judgement = pipeline.judge(draft);
        return new DryRun(
                judgement.valid(), pipeline.ruleNames(), judgement.findings(), before, xml.write(judgement.fields()));
    }

    /** @param findings of the rules, in their order; shorter if the record was turned away by the first validator */
    public record DryRun(boolean valid, List<String> rules, List<Finding> findings, String before, String after) {}
}
