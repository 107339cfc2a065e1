package dev.turno.benchmarks.page;

import dev.turno.benchmarks.page.Results.Goal;
import dev.turno.benchmarks.page.Results.Measured;
import dev.turno.benchmarks.page.Results.Ratio;
import dev.turno.benchmarks.page.Results.Section;
import dev.turno.benchmarks.result.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes {@code performance.md} and its plots. Numbers come from the results, sentences about them from {@code texts.md}. */
public final class PerformancePage {

    private static final String IMAGES = "images/performance";
    private static final int MOST_BARS = 12;

    private final Results results;
    private final Texts texts;
    private final Path docs;
    private final StringBuilder page = new StringBuilder();

    private PerformancePage(Results results, Texts texts, Path docs) {
        this.results = results;
        this.texts = texts;
        this.docs = docs;
    }

    /** From the results of one run of everything, and of others on other databases. Answers the page that it wrote. */
    public static Path write(List<Path> results, Path docs) throws IOException {
        PerformancePage page = new PerformancePage(Results.read(results.get(0)), Texts.read(), docs);
        List<Results> others = new ArrayList<>();
        for (Path other : results.subList(1, results.size())) {
            others.add(Results.read(other));
        }
        return page.write(others);
    }

    private Path write(List<Results> others) throws IOException {
        Files.createDirectories(docs.resolve(IMAGES));
        head();
        goals();
        for (Section section : results.sections()) {
            section(section, "");
        }
        for (Results other : others) {
            String where = " on " + other.run().get("database");
            for (Section section : other.sections()) {
                section(section, where);
            }
        }
        line("## A hundred times the load\n");
        line(new HundredTimes(results).text());
        return Files.writeString(docs.resolve("performance.md"), page.toString().stripTrailing() + "\n");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }

    private void head() {
        line("# Performance\n");
        line("Written by `./turno bench report` from one run of `./turno bench all`; not edited by hand.\n");
        if (!results.run().getOrDefault("scale", "").equals("full")) {
            line("**This run was a " + results.run().get("scale")
                    + " one: its figures are for a look, not for a claim.**\n");
        }
        line("| run | |\n|---|---|");
        results.run().forEach((name, value) -> line("| " + name + " | " + cell(value) + " |"));
        line("");
        texts.about("how").ifPresent(how -> line(how + "\n"));
    }

    private void goals() {
        line("## Goals\n");
        line("| workload | goal | wanted | measured | |\n|---|---|---|---|---|");
        for (Section section : results.sections()) {
            section.goals()
                    .forEach(goal -> line("| " + section.workload() + " | " + goal.name() + " | " + goal.wanted()
                            + " | " + Numbers.plain(goal.value()) + " | " + verdict(goal) + " |"));
        }
        line("");
        missed();
    }

    private static String verdict(Goal goal) {
        return goal.met() ? "met" : goal.doubt().orElse("**missed**");
    }

    private void missed() {
        List<Goal> missed = results.sections().stream()
                .flatMap(section -> section.goals().stream())
                .filter(goal -> !goal.met())
                .toList();
        if (missed.isEmpty()) {
            line("All of them are met.\n");
            return;
        }
        line("What was missed, and why:\n");
        missed.forEach(goal -> line("- " + goal.name() + ": " + Numbers.plain(goal.value()) + " instead of "
                + goal.wanted() + ". " + reason(goal)));
        line("");
    }

    private String reason(Goal goal) {
        return texts.about("goal " + goal.name())
                .orElse("The reason is not known yet.")
                .replace("\n", "\n  ");
    }

    private void section(Section section, String where) throws IOException {
        line("## " + title(section.workload()) + where + "\n");
        section.violations()
                .forEach(violation -> line("**Not done right, so the figures mean nothing: " + violation + "**\n"));
        plots(section, where);
        figures(section);
        ratios(section);
        texts.about(section.workload() + where).ifPresent(text -> line(text + "\n"));
        if (!section.notes().isEmpty()) {
            line("Settings:\n");
            section.notes().forEach(note -> line("- " + note));
            line("");
        }
    }

    private static String title(String workload) {
        return workload.substring(0, 1).toUpperCase(Locale.ROOT) + workload.substring(1);
    }

    private void figures(Section section) {
        if (section.figures().isEmpty()) {
            return;
        }
        line("| what | who | median | spread | unit |\n|---|---|---|---|---|");
        section.figures()
                .forEach(one -> line("| " + one.workload() + " | " + one.who() + " | " + Numbers.plain(one.value())
                        + " | " + spread(one) + " | " + cell(one.unit()) + " |"));
        line("");
    }

    private static String spread(Measured one) {
        return one.rounds().size() == 1 ? "" : Numbers.plain(one.least()) + " to " + Numbers.plain(one.most());
    }

    private void ratios(Section section) {
        if (section.ratios().isEmpty()) {
            return;
        }
        line("| ratio, within each round | median | spread |\n|---|---|---|");
        section.ratios()
                .forEach(one -> line("| " + one.name() + " | " + median(one) + " | " + Numbers.plain(one.low()) + " to "
                        + Numbers.plain(one.high()) + " |"));
        line("");
    }

    private static String median(Ratio ratio) {
        return ratio.value().map(Numbers::plain).orElse("no difference measured");
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    /** One for every group of figures that can be compared: the same thing done by several, or several things of one unit. */
    private void plots(Section section, String where) throws IOException {
        for (Map.Entry<String, List<Measured>> group : groups(section).entrySet()) {
            List<Measured> figures = group.getValue();
            if (figures.size() < 2 || figures.size() > MOST_BARS || !isWorthAPlot(figures.get(0))) {
                continue;
            }
            boolean byWho = figures.stream().map(Measured::workload).distinct().count() == 1;
            String title = (byWho
                            ? figures.get(0).workload()
                            : overTime(figures.get(0)).orElse(section.workload()))
                    + where;
            Bars bars = new Bars(
                    title,
                    figures.get(0).unit(),
                    figures.stream().map(one -> bar(section, one, byWho)).toList());
            String file = IMAGES + "/" + slug(title + " " + figures.get(0).unit()) + ".svg";
            Files.writeString(docs.resolve(file), bars.svg());
            line("![" + title + ", " + figures.get(0).unit() + "](" + file + ")\n");
        }
    }

    private static boolean isWorthAPlot(Measured one) {
        return one.unit().endsWith("/s")
                || one.unit().startsWith("us ")
                || one.unit().contains("p99")
                || one.workload().contains("p99");
    }

    private static Bars.Bar bar(Section section, Measured one, boolean byWho) {
        String label = byWho ? one.who() : one.workload().replaceFirst("^" + section.workload() + ", ", "");
        return new Bars.Bar(
                label, one.value(), one.least(), one.most(), one.who().startsWith("turno"));
    }

    /** By what was done and its unit; who is alone there joins the others of the same unit. */
    private static Map<String, List<Measured>> groups(Section section) {
        Map<String, List<Measured>> groups = new LinkedHashMap<>();
        for (Measured one : section.figures()) {
            boolean alone = section.figures().stream()
                            .filter(other -> other.workload().equals(one.workload())
                                    && other.unit().equals(one.unit()))
                            .count()
                    == 1;
            String key = alone ? kind(one) : one.workload() + " " + one.unit();
            groups.computeIfAbsent(key, none -> new ArrayList<>()).add(one);
        }
        return groups;
    }

    /** What runs over time is not drawn together with what does not. */
    private static String kind(Measured one) {
        return one.unit() + overTime(one).orElse("");
    }

    /** What is measured again and again while it runs, without the moment. */
    private static Optional<String> overTime(Measured one) {
        int moment = one.workload().indexOf(", second ");
        return moment < 0 ? Optional.empty() : Optional.of(one.workload().substring(0, moment));
    }

    private static String slug(String words) {
        return words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }
}
