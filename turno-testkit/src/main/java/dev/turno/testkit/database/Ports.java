package dev.turno.testkit.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports for servers that may be down for a while.
 *
 * <p>Below the range from which the kernel gives ports to outgoing connections (32768 and up). Otherwise, while a server is
 * down, another program may get its port; and a client that tries again and again may be connected to itself.
 */
final class Ports {

    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int TRIES = 100;

    private Ports() {}

    static int free() {
        for (int tries = 0; tries < TRIES; tries++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException(
                "Tried " + TRIES + " ports from " + FIRST + " to " + LAST + " and none was free");
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
