package dev.turno.server;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** The server has one door: what listened on a second port would answer without the filter, to everybody. */
@Component
record OnePort(Environment environment) implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        if (ManagementPortType.get(environment) == ManagementPortType.DIFFERENT) {
            throw new IllegalStateException("management.server.port is "
                    + environment.getProperty("management.server.port")
                    + ": there nobody would be asked for a token. The server was not started. Remove that property; the actuator"
                    + " is under /actuator on the server's own port.");
        }
    }
}
