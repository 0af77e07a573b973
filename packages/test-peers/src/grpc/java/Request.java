import io.grpc.Status;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * How a call is answered: the filter of a StreamRequest, written as the query of an address. The README of the peers explains
 * the names.
 */
record Request(Map<String, String> values, long intervalMs) {
  static Request parse(String filter, long intervalMs) {
    Map<String, String> values = new HashMap<>();
    String query = filter.matches("\\d+") ? "after=" + filter : filter;
    for (String pair : query.split("&")) {
      String[] parts = pair.split("=", 2);
      values.put(decoded(parts[0]), parts.length < 2 ? "" : decoded(parts[1]));
    }
    return new Request(values, intervalMs);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  String text(String name) {
    return values.getOrDefault(name, "");
  }

  long number(String name, long absent) {
    return has(name) ? Long.parseLong(text(name)) : absent;
  }

  /** How the call ends after the last message. */
  Status end() {
    return Status.fromCodeValue((int) number("fail", 0)).withDescription(has("message") ? text("message") : null);
  }
}
