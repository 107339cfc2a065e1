package dev.turno.certification.wire;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request of which every field was checked: trimmed, composed (NFC), upper case; an absent field is empty. The names are those of
 * the wire contract.
 */
public record CertificationRequest(
        String folioTramiteProcesar,
        String nss,
        String curp,
        String nombreTrabajador,
        String apellidoPaterno,
        String apellidoMaterno,
        String tipoPrestacion,
        String claveAdminActual,
        String origen,
        String idSolicitante,
        String curpSolicitante,
        String selloTrabajador,
        String curpAgenteServicio,
        String indicadorOrigenTramite) {

    /** The business fields, as callers send them. */
    public static final List<String> FIELDS = List.of(
            "folioTramiteProcesar",
            "nss",
            "curp",
            "nombreTrabajador",
            "apellidoPaterno",
            "apellidoMaterno",
            "tipoPrestacion",
            "claveAdminActual",
            "origen",
            "idSolicitante",
            "curpSolicitante",
            "selloTrabajador",
            "curpAgenteServicio",
            "indicadorOrigenTramite");

    /** Raised when the way of computing changes, so that an old value never equals a new one by accident. */
    private static final String FINGERPRINT_VERSION = "1";

    static CertificationRequest of(Map<String, String> fields) {
        return new CertificationRequest(
                fields.getOrDefault("folioTramiteProcesar", ""),
                fields.getOrDefault("nss", ""),
                fields.getOrDefault("curp", ""),
                fields.getOrDefault("nombreTrabajador", ""),
                fields.getOrDefault("apellidoPaterno", ""),
                fields.getOrDefault("apellidoMaterno", ""),
                fields.getOrDefault("tipoPrestacion", ""),
                fields.getOrDefault("claveAdminActual", ""),
                fields.getOrDefault("origen", ""),
                fields.getOrDefault("idSolicitante", ""),
                fields.getOrDefault("curpSolicitante", ""),
                fields.getOrDefault("selloTrabajador", ""),
                fields.getOrDefault("curpAgenteServicio", ""),
                fields.getOrDefault("indicadorOrigenTramite", ""));
    }

    /** All fields by name, in the order of the names. */
    public Map<String, String> fields() {
        Map<String, String> all = new TreeMap<>();
        all.put("folioTramiteProcesar", folioTramiteProcesar);
        all.put("nss", nss);
        all.put("curp", curp);
        all.put("nombreTrabajador", nombreTrabajador);
        all.put("apellidoPaterno", apellidoPaterno);
        all.put("apellidoMaterno", apellidoMaterno);
        all.put("tipoPrestacion", tipoPrestacion);
        all.put("claveAdminActual", claveAdminActual);
        all.put("origen", origen);
        all.put("idSolicitante", idSolicitante);
        all.put("curpSolicitante", curpSolicitante);
        all.put("selloTrabajador", selloTrabajador);
        all.put("curpAgenteServicio", curpAgenteServicio);
        all.put("indicadorOrigenTramite", indicadorOrigenTramite);
        return all;
    }

    /**
     * The same for the same business content, however it was spelt, in every version of the service. Each value goes with its length,
     * so that no text can pass for two fields.
     */
    public String fingerprint() {
        StringBuilder all = new StringBuilder(FINGERPRINT_VERSION);
        fields().forEach((name, value) -> all.append('\n')
                .append(name)
                .append('=')
                .append(value.length())
                .append(':')
                .append(value));
        return HexFormat.of().formatHex(sha256(all.toString()));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256, but not this one.", e);
        }
    }

    /** Without anything personal: it may end in a log. */
    @Override
    public String toString() {
        return "CertificationRequest[afore=" + claveAdminActual + ", tipoPrestacion=" + tipoPrestacion + "]";
    }
}
