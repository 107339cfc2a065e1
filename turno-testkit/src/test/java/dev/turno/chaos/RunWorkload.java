package dev.turno.chaos;

import dev.turno.Turno;
import dev.turno.run.Job;
import dev.turno.run.PageTurn;
import dev.turno.run.RetryLaterException;
import dev.turno.run.RunOptions;
import dev.turno.run.RunRequest;
import dev.turno.run.Runs;
import dev.turno.run.Source;
import dev.turno.run.SubmitOutcome;
import dev.turno.testkit.chaos.Chaos;
import dev.turno.testkit.chaos.ChaosNode;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Runs of a few subjects, page by page; each item's effect is written in its page's transaction. */
final class RunWorkload implements Workload {

    static final String PAGE = "page ";
    private static final String NUMBER_USED = "number used ";
    private static final String NAME = Kind.RUNS.word();
    private static final String LABEL = "label";
    private static final int SUBJECTS = 8;
    static final int ITEMS = 400;
    static final int PAGE_SIZE = 100;
    private static final List<String> OPEN = List.of(" PENDING,", " PARKED,", " DOING,");

    private final Set<String> stored = ConcurrentHashMap.newKeySet();
    private @Nullable Runs runs;

    private static RunOptions options() {
        return RunOptions.of(o -> o.perNode(4)
                .perCluster(8)
                .maxQueued(1_000)
                .maxAttempts(WorkloadNode.ATTEMPTS)
                .backoff(WorkloadNode.QUICK)
                .poll(Duration.ofSeconds(1)));
    }

    @Override
    public void work(ChaosNode node) {
        Runs mine = node.turno().runs(options());
        mine.add(job(node.name()));
        runs = mine;
        node.turno().work(mine);
    }

    private static Job<Integer> job(String node) {
        return Job.of(
                NAME,
                Source.iterator(run -> IntStream.range(0, ITEMS).iterator()),
                (items, page) -> write(node, items, page),
                choices -> choices.pageSize(PAGE_SIZE));
    }

    private static void write(String node, List<Integer> items, PageTurn page)
            throws SQLException, InterruptedException {
        String label = page.run().parameters().get(LABEL);
        System.out.println(PAGE + label + " " + items.get(0));
        try (PreparedStatement insert = Books.insert(page.connection())) {
            for (int item : items) {
                page.begin(item);
                Books.bind(
                        insert,
                        NAME,
                        label + "/" + item,
                        node,
                        page.run().key() + "#" + page.run().fence());
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (SQLException e) {
            if (Books.isNumberUsed(e)) {
                System.out.println(NUMBER_USED + label + " " + items.get(0));
                throw new RetryLaterException(Duration.ofMillis(100), "a number is used");
            }
            throw e;
        }
        WorkloadNode.pause(10);
    }

    @Override
    public void prepare(Chaos chaos, Turno turno) {
        runs = turno.runs(options());
        runs.add(job("outside"));
    }

    @Override
    public void put(int number) throws InterruptedException {
        RunRequest request = RunRequest.of(NAME).on(subject(number)).with(LABEL, label(number));
        while (runs != null && runs.submit(request) instanceof SubmitOutcome.Refused) {
            Thread.sleep(100);
        }
    }

    private static String subject(int number) {
        return "subject-" + number % SUBJECTS;
    }

    private static String label(int number) {
        return subject(number) + "/" + number / SUBJECTS;
    }

    /** A submission that was not answered may have happened: the next one is another run, and only what was answered is counted on. */
    @Override
    public boolean isPutAgain() {
        return false;
    }

    @Override
    public int stored(int number) {
        stored.add(label(number));
        return ITEMS;
    }

    @Override
    public Optional<String> waiting() {
        return Optional.of("select count(*) * 20 from turno_run where state in ('PENDING', 'PARKED', 'DOING')");
    }

    @Override
    public void check(Chaos chaos, Books books, Findings findings) throws SQLException {
        findings.items((long) stored.size() * ITEMS);
        Map<String, Integer> lastOfSubject = new HashMap<>();
        Map<String, Integer> lastOfRun = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (Books.Effect effect : books.effects(NAME)) {
            findings.add(Wrong.TWICE, seen.add(effect.item()) ? 0 : 1);
            String[] words = effect.item().split("/", -1);
            int number = Integer.parseInt(words[1]);
            int item = Integer.parseInt(words[2]);
            Integer before = lastOfSubject.put(words[0], number);
            Integer itemBefore = lastOfRun.put(words[0] + "/" + words[1], item);
            boolean inOrder = (before == null || before <= number) && (itemBefore == null ? 0 : itemBefore + 1) == item;
            findings.add(Wrong.OUT_OF_ORDER, inOrder ? 0 : 1);
        }
        Map<String, String> states = new HashMap<>();
        books.rows(
                "select parameters, id, state, attempt, fence, completed, cursor_text from turno_run",
                row -> states.put(
                        row.getString(1),
                        "run " + row.getLong(2) + " " + row.getString(3) + ", attempt " + row.getInt(4) + ", fence "
                                + row.getLong(5) + ", completed " + row.getLong(6) + ", at " + row.getString(7)));
        for (String label : stored) {
            Pattern whole = Pattern.compile(Pattern.quote(label) + "(?![0-9])");
            String known = states.entrySet().stream()
                    .filter(one -> whole.matcher(one.getKey()).find())
                    .map(Map.Entry::getValue)
                    .toList()
                    .toString();
            boolean stuck = OPEN.stream().anyMatch(known::contains);
            for (int item = 0; item < ITEMS; item++) {
                boolean missing = !seen.contains(label + "/" + item);
                findings.add(stuck ? Wrong.STUCK : Wrong.LOST, missing, label + "/" + item + " of " + known);
            }
            findings.add(Wrong.GONE, known.equals("[]"), label);
            findings.add(Wrong.STUCK, stuck, label + " of " + known);
            findings.add(Wrong.LOST, !stuck && !known.contains(" DONE,"), label + " of " + known);
        }
    }

    /** How many pages were begun again, but for those that the books refused. */
    static int redone(Chaos chaos) {
        List<String> pages = chaos.said(PAGE);
        return pages.size()
                - new HashSet<>(pages).size()
                - chaos.said(NUMBER_USED).size();
    }
}
