package dev.turno.server;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The server: the API, and whatever the packages beside this one and the other modules contribute. */
@SpringBootApplication(proxyBeanMethods = false)
public class TurnoServer {}
