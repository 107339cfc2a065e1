package dev.turno.server;

import dev.turno.web.security.Problem;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/** What goes wrong outside of the controllers is told like everything else. */
@Controller
class ErrorPages implements ErrorController {

    @RequestMapping("${server.error.path:/error}")
    void tell(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : HttpStatus.NOT_FOUND;
        HttpStatus told = status == null ? HttpStatus.INTERNAL_SERVER_ERROR : status;
        Problem.write(response, told, "The request could not be served. The API's document is /api/v1/openapi.json.");
    }
}
