package dev.turno.benchmarks.result;

import java.util.Iterator;
import java.util.function.Consumer;

/** A report for programs: one line per figure, then one with the ratios and the goals. */
public final class JsonLines {

    private final StringBuilder text = new StringBuilder();

    private JsonLines() {}

    public static String of(Report report) {
        JsonLines lines = new JsonLines();
        report.figures().forEach(lines::figure);
        lines.summary(report);
        return lines.text.toString();
    }

    private void figure(Figure figure) {
        text.append("{\"workload\":").append(quoted(figure.workload()));
        text.append(",\"who\":").append(quoted(figure.who()));
        text.append(",\"value\":").append(Numbers.plain(figure.median()));
        text.append(",\"unit\":").append(quoted(figure.unit()));
        text.append(",\"rounds\":[");
        separated(figure.values(), value -> text.append(Numbers.plain(value)));
        text.append("]}\n");
    }

    /** A ratio that says nothing is null; its spread says why. */
    private void summary(Report report) {
        text.append("{\"workload\":").append(quoted(report.workload())).append(",\"ratios\":{");
        separated(
                report.ratios().entrySet(),
                ratio -> text.append(quoted(ratio.getKey())).append(':').append(number(ratio.getValue())));
        text.append("},\"goals\":{");
        separated(report.goals(), this::goal);
        text.append("},\"spreads\":{");
        separated(report.ratios().entrySet(), ratio -> spread(ratio.getKey(), ratio.getValue()));
        text.append("},\"notes\":[");
        separated(report.notes(), note -> text.append(quoted(note)));
        text.append("],\"violations\":[");
        separated(report.violations(), violation -> text.append(quoted(violation)));
        text.append("]}\n");
    }

    private static String number(Ratio ratio) {
        return ratio.isMeasured() ? Numbers.plain(ratio.median()) : "null";
    }

    private void spread(String name, Ratio ratio) {
        text.append(quoted(name)).append(":[").append(Numbers.plain(ratio.low()));
        text.append(',').append(Numbers.plain(ratio.high())).append(']');
    }

    private void goal(Goal goal) {
        text.append(quoted(goal.name())).append(":{\"goal\":").append(quoted(goal.wording()));
        text.append(",\"value\":").append(Numbers.plain(goal.value()));
        text.append(",\"met\":").append(goal.isMet());
        goal.doubt().ifPresent(doubt -> text.append(",\"doubt\":").append(quoted(doubt)));
        text.append('}');
    }

    private <T> void separated(Iterable<T> all, Consumer<T> write) {
        Iterator<T> items = all.iterator();
        while (items.hasNext()) {
            write.accept(items.next());
            if (items.hasNext()) {
                text.append(',');
            }
        }
    }

    public static String quoted(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
