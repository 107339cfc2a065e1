package dev.turno.documentation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A page of the documentation and the Java programs in it. */
record Page(String text) {

    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("public class (\\w+)");

    static Page of(String path) throws IOException {
        return new Page(Files.readString(Path.of("..").resolve(path)));
    }

    List<String> programs() {
        return JAVA.matcher(text)
                .results()
                .map(MatchResult::group)
                .map(Page::inner)
                .toList();
    }

    private static String inner(String block) {
        return block.substring("```java\n".length(), block.length() - "```".length());
    }

    /** Compiles a program and runs its main method; answers what it printed. */
    static String run(String program, Path directory) throws Exception {
        Matcher name = CLASS.matcher(program);
        if (!name.find()) {
            throw new AssertionError("No public class in:\n" + program);
        }
        compile(Files.writeString(directory.resolve(name.group(1) + ".java"), program), directory);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream before = System.out;
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            loader.loadClass(name.group(1)).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static void compile(Path source, Path directory) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            List<String> options =
                    List.of("-d", directory.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
            boolean good = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            if (!good) {
                throw new AssertionError(said + "\nin:\n" + Files.readString(source));
            }
        }
    }
}
