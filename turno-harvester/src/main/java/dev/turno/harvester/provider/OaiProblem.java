package dev.turno.harvester.provider;

/** One of the protocol's errors. */
final class OaiProblem extends RuntimeException {

    private final String code;

    OaiProblem(String code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    String code() {
        return code;
    }

    /** The protocol says that these two do not repeat the arguments in the answer. */
    boolean hidesArguments() {
        return code.equals("badVerb") || code.equals("badArgument");
    }
}
