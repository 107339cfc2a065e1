/** The application of the guide, in a package of its own, as a user would write it. */
@NullMarked
package shop;

import org.jspecify.annotations.NullMarked;
