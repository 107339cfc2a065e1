package dev.turno.harvester.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/** A record's metadata must not make this machine ask its own neighbours. Shared by threads. */
public final class OwnNetwork {

    private final Set<String> allowed;

    /** @param allowed hosts that may be asked although they are neighbours */
    public OwnNetwork(Set<String> allowed) {
        this.allowed = Set.copyOf(allowed);
    }

    /** Why this address is not asked; empty: it may be. */
    public Optional<String> forbids(URI uri) {
        String scheme = String.valueOf(uri.getScheme());
        String host = uri.getHost();
        if ((!scheme.equals("http") && !scheme.equals("https")) || host == null) {
            return Optional.of("'" + uri + "' is not a URL of the web.");
        }
        if (allowed.contains(host)) {
            return Optional.empty();
        }
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                if (isOwn(address)) {
                    return Optional.of(
                            "'" + host + "' is an address of this machine's own network, which is not asked.");
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("The host '" + host + "' is unknown.");
        }
    }

    private static boolean isOwn(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean uniqueLocal = bytes.length == 16 && (bytes[0] & 0xFE) == 0xFC;
        return address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()
                || uniqueLocal;
    }
}
