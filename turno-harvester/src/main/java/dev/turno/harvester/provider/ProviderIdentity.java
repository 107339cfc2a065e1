package dev.turno.harvester.provider;

import java.util.List;

/**
 * How the provider introduces itself.
 *
 * @param namespace the middle of its identifiers, {@code oai:namespace:...}: a domain name
 */
public record ProviderIdentity(String name, String baseUrl, String namespace, List<String> adminEmails) {

    public ProviderIdentity {
        if (!namespace.matches("[A-Za-z][A-Za-z0-9-]*(\\.[A-Za-z][A-Za-z0-9-]*)*")) {
            throw new IllegalArgumentException("The namespace of the provider is '" + namespace
                    + "'; use a domain name such as repository.example.org.");
        }
        if (adminEmails.isEmpty()) {
            throw new IllegalArgumentException("The protocol wants at least one e-mail address of an administrator.");
        }
        adminEmails = List.copyOf(adminEmails);
    }
}
