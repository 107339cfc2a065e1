package dev.turno.harvester.harvest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known about a spooled page besides its records: enough to go on after a crash without fetching it again.
 *
 * @param before the place for which it was fetched
 * @param after the place behind it
 * @param bytes of its XML
 * @param listSize how many records there are in all, or -1
 */
record Head(
        String before,
        String after,
        long records,
        long deletions,
        long bytes,
        long listSize,
        List<String> warnings,
        List<PutAside> putAside) {

    /** A record, or a page, that could not be used. */
    record PutAside(String identifier, String why, String file) {}

    byte[] toBytes() {
        ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytesOut);
        try {
            out.writeUTF(before);
            out.writeUTF(after);
            out.writeLong(records);
            out.writeLong(deletions);
            out.writeLong(bytes);
            out.writeLong(listSize);
            out.writeInt(warnings.size());
            for (String warning : warnings) {
                out.writeUTF(warning);
            }
            out.writeInt(putAside.size());
            for (PutAside one : putAside) {
                out.writeUTF(one.identifier());
                out.writeUTF(one.why());
                out.writeUTF(one.file());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return bytesOut.toByteArray();
    }

    static Head of(byte[] bytes) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            String before = in.readUTF();
            String after = in.readUTF();
            long records = in.readLong();
            long deletions = in.readLong();
            long size = in.readLong();
            long listSize = in.readLong();
            List<String> warnings = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                warnings.add(in.readUTF());
            }
            List<PutAside> putAside = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                putAside.add(new PutAside(in.readUTF(), in.readUTF(), in.readUTF()));
            }
            return new Head(before, after, records, deletions, size, listSize, warnings, putAside);
        } catch (IOException e) {
            throw new UncheckedIOException("A spooled page has a head that cannot be read.", e);
        }
    }
}
