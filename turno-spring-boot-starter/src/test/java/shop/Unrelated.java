package shop;

import org.springframework.stereotype.Component;

/** A component without handlers. */
@Component
class Unrelated {}
