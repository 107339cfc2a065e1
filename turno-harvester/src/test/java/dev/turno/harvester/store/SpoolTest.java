package dev.turno.harvester.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {

    @TempDir
    private Path folder = Path.of("set by JUnit");

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void append(long fence, long seq, String... bodies) throws IOException {
        try (Spool spool = new Spool(folder, "pages", fence)) {
            for (int i = 0; i < bodies.length; i++) {
                spool.append(seq + i, bytes("head " + (seq + i)), bytes(bodies[i]));
            }
            spool.force();
        }
    }

    @Test
    void frames_come_back_and_the_higher_fence_counts() throws IOException {
        append(1, 1, "a", "b", "c");
        append(2, 3, "C", "D");

        List<Spool.Frame> frames = List.copyOf(Spool.read(folder, "pages").values());

        assertThat(frames).hasSize(4);
        assertThat(frames.get(1).body()).isEqualTo(bytes("b"));
        assertThat(frames.get(2).body()).isEqualTo(bytes("C"));
        assertThat(frames.get(3).head()).isEqualTo(bytes("head 4"));
    }

    @Test
    void what_a_crash_cut_off_or_garbled_is_passed_over() throws IOException {
        append(1, 1, "first", "second");
        Path file = Spool.files(folder, "pages").get(0);
        byte[] whole = Files.readAllBytes(file);

        for (int length = whole.length - 1; length > whole.length - 20; length--) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(Spool.read(folder, "pages")).containsOnlyKeys(1L);
        }
        byte[] garbled = whole.clone();
        garbled[whole.length - 1] ^= 1;
        Files.write(file, garbled);
        assertThat(Spool.read(folder, "pages")).containsOnlyKeys(1L);
        Files.write(file, whole);
        Files.write(file, new byte[100], StandardOpenOption.APPEND);
        assertThat(Spool.read(folder, "pages")).containsOnlyKeys(1L, 2L);
    }

    @Test
    void only_files_that_are_done_with_are_removed() throws IOException {
        append(1, 1, "a", "b");
        append(2, 3, "c", "d");

        Spool.remove(folder, "pages", 3);

        assertThat(Spool.read(folder, "pages")).containsOnlyKeys(3L, 4L);
    }

    @Test
    void frames_of_another_writer_are_forced_file_by_file() throws IOException {
        append(1, 1, "a", "b");
        append(2, 3, "c");
        List<Spool.Frame> frames = List.copyOf(Spool.read(folder, "pages").values());

        Spool.force(frames);
        Files.delete(frames.get(2).file());

        assertThatThrownBy(() -> Spool.force(frames))
                .as("each file is opened for it")
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void a_file_that_cannot_be_written_to_its_end_leaves_nothing_behind() {
        Durable.Writing broken = unfinished -> {
            Files.writeString(unfinished, "the first half");
            throw new IOException("No space left on device");
        };

        assertThatThrownBy(() -> Durable.write(folder.resolve("file"), broken)).hasMessageContaining("No space left");

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void keys_tell_a_record_from_its_deletion_and_are_found_again() throws IOException {
        Path part = folder.resolve("part-1-1.parquet");
        long[] keys = new long[1_000];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = Keys.of("oai:x:" + i, i % 3 == 0);
        }
        Ids.write(part, keys);
        Ids ids = Ids.open(part);

        for (int i = 0; i < keys.length; i++) {
            assertThat(ids.find(Keys.of("oai:x:" + i, i % 2 == 0))).hasValue(keys[i]);
        }
        assertThat(ids.find(Keys.of("oai:x:1000", false))).isEmpty();
        KeySet set = new KeySet();
        set.addAll(keys);
        assertThat(set.add(Keys.of("oai:x:5", true))).isFalse();
        assertThat(set.contains(Keys.of("oai:x:1000", false))).isFalse();
    }

    @Test
    void the_file_that_is_being_written_stays_though_all_in_it_is_in_a_part() throws IOException {
        try (Spool spool = new Spool(folder, "pages", 1)) {
            spool.append(1, new byte[1], new byte[1]);
            spool.roll();
            spool.append(2, new byte[1], new byte[1]);

            Spool.removeBeside(folder, "pages", 2);
            spool.append(3, new byte[1], new byte[1]);

            assertThat(Spool.read(folder, "pages")).containsOnlyKeys(2L, 3L);
        }
    }
}
