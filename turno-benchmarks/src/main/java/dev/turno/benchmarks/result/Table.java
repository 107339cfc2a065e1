package dev.turno.benchmarks.result;

import java.util.ArrayList;
import java.util.List;

/** A report for people. */
public final class Table {

    private Table() {}

    public static String of(Report report) {
        StringBuilder text = new StringBuilder();
        report.notes().forEach(note -> text.append(note).append('\n'));
        text.append('\n').append(aligned(figures(report)));
        if (!report.ratios().isEmpty()) {
            text.append('\n').append(aligned(ratios(report)));
        }
        if (!report.goals().isEmpty()) {
            text.append('\n').append(aligned(goals(report)));
        }
        report.violations()
                .forEach(
                        violation -> text.append("VIOLATED: ").append(violation).append('\n'));
        return text.toString();
    }

    private static List<List<String>> figures(Report report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("workload", "who", "median", "least", "most", "unit"));
        for (Figure figure : report.figures()) {
            rows.add(List.of(
                    figure.workload(),
                    figure.who(),
                    Numbers.plain(figure.median()),
                    Numbers.plain(figure.least()),
                    Numbers.plain(figure.most()),
                    figure.unit()));
        }
        return rows;
    }

    private static List<List<String>> ratios(Report report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ratio", "median of the rounds", "spread"));
        report.ratios().forEach((name, ratio) -> rows.add(List.of(name, ratio.wording(), ratio.spread())));
        return rows;
    }

    private static List<List<String>> goals(Report report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("goal", "wanted", "measured", ""));
        for (Goal goal : report.goals()) {
            String verdict = goal.isMet() ? "met" : goal.doubt().orElse("MISSED");
            rows.add(List.of(goal.name(), goal.wording(), Numbers.plain(goal.value()), verdict));
        }
        return rows;
    }

    private static String aligned(List<List<String>> rows) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                line.append(padded(row.get(column), widest(rows, column))).append("  ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static int widest(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String padded(String cell, int width) {
        boolean isNumber = !cell.isEmpty() && Character.isDigit(cell.charAt(0));
        String blanks = " ".repeat(width - cell.length());
        return isNumber ? blanks + cell : cell + blanks;
    }
}
