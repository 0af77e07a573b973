import com.google.gson.Gson;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLSession;

/** Tells what arrived with a call, as JSON. */
final class Echo implements ServerInterceptor {
  private static final Context.Key<String> RECEIVED = Context.key("received");

  /** What arrived with the call that is being handled. */
  static String current() {
    return RECEIVED.get();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Map<String, Object> received = new TreeMap<>();
    received.put("authority", call.getAuthority());
    received.put("metadata", entries(headers));
    received.put("deadline", Context.current().getDeadline() != null);
    received.put("client", client(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION)));
    Context context = Context.current().withValue(RECEIVED, new Gson().toJson(received));
    return Contexts.interceptCall(context, call, headers, next);
  }

  private static Map<String, List<String>> entries(Metadata headers) {
    Map<String, List<String>> entries = new TreeMap<>();
    for (String name : headers.keys()) {
      List<String> values = new ArrayList<>();
      if (name.endsWith("-bin")) {
        headers
            .getAll(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER))
            .forEach(value -> values.add(HexFormat.of().formatHex(value)));
      } else {
        headers.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)).forEach(values::add);
      }
      entries.put(name, values);
    }
    return entries;
  }

  /** The name in the certificate of the client, empty without one. */
  private static String client(SSLSession session) {
    if (session == null) {
      return "";
    }
    try {
      X509Certificate certificate = (X509Certificate) session.getPeerCertificates()[0];
      return certificate.getSubjectX500Principal().getName().replace("CN=", "");
    } catch (javax.net.ssl.SSLPeerUnverifiedException noCertificate) {
      return "";
    }
  }
}
