import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Exports one request of traces by an official Java exporter: java Send grpc|http. */
public final class Send {
  public static void main(String[] args) throws Exception {
    try (SpanExporter exporter = args[0].equals("grpc") ? grpc() : http()) {
      boolean sent = exporter.export(List.of(new Story())).join(20, TimeUnit.SECONDS).isSuccess();
      System.out.println(sent ? "{}" : "{\"traces\":\"not exported\"}");
    }
    System.exit(0);
  }

  private static SpanExporter grpc() throws Exception {
    var builder = OtlpGrpcSpanExporter.builder();
    variable("ENDPOINT").ifPresent(builder::setEndpoint);
    variable("COMPRESSION").ifPresent(builder::setCompression);
    token().ifPresent(token -> builder.addHeader("authorization", token));
    if (authority() != null) builder.setTrustedCertificates(authority());
    return builder.build();
  }

  private static SpanExporter http() throws Exception {
    var builder = OtlpHttpSpanExporter.builder();
    variable("ENDPOINT").map(endpoint -> endpoint + "/v1/traces").ifPresent(builder::setEndpoint);
    variable("COMPRESSION").ifPresent(builder::setCompression);
    token().ifPresent(token -> builder.addHeader("authorization", token));
    if (authority() != null) builder.setTrustedCertificates(authority());
    return builder.build();
  }

  private static Optional<String> token() {
    var prefix = "authorization=";
    return variable("HEADERS").map(all -> URLDecoder.decode(all.substring(prefix.length()), StandardCharsets.UTF_8));
  }

  private static byte[] authority() throws Exception {
    var path = variable("CERTIFICATE");
    return path.isPresent() ? Files.readAllBytes(Path.of(path.get())) : null;
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(System.getenv("OTEL_EXPORTER_OTLP_" + name));
  }
}
