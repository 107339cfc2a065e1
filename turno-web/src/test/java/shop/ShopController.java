package shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A route of the application's own. */
@RestController
public class ShopController {

    @GetMapping("/shop/bread")
    String bread() {
        throw new IllegalArgumentException("no flour");
    }

    @GetMapping("/shop/open")
    String open() {
        return "open";
    }
}
