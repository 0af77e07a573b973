import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Reads a server-streaming method. Keys: host, port, service, method, request, response (names of messages), descriptors (a file). */
public final class GrpcTask extends QueueTask implements StreamObserver<DynamicMessage> {
  private final JsonFormat.Printer printer =
      JsonFormat.printer().alwaysPrintFieldsWithNoPresence().omittingInsignificantWhitespace();
  private ManagedChannel channel;

  @Override
  void open(Map<String, String> config) throws Exception {
    Map<String, Descriptor> messages = messages(Path.of(config.get("descriptors")));
    DynamicMessage request = DynamicMessage.getDefaultInstance(messages.get(config.get("request")));
    DynamicMessage response = DynamicMessage.getDefaultInstance(messages.get(config.get("response")));
    MethodDescriptor<DynamicMessage, DynamicMessage> method =
        MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
            .setType(MethodType.SERVER_STREAMING)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(config.get("service"), config.get("method")))
            .setRequestMarshaller(ProtoUtils.marshaller(request))
            .setResponseMarshaller(ProtoUtils.marshaller(response))
            .build();
    channel =
        ManagedChannelBuilder.forAddress(config.get("host"), Integer.parseInt(config.get("port")))
            .usePlaintext()
            .build();
    ClientCalls.asyncServerStreamingCall(channel.newCall(method, CallOptions.DEFAULT), request, this);
  }

  @Override
  public void onNext(DynamicMessage message) {
    try {
      offer(printer.print(message));
    } catch (InvalidProtocolBufferException problem) {
      onError(problem);
    }
  }

  @Override
  public void onError(Throwable problem) {
    problem.printStackTrace();
  }

  @Override
  public void onCompleted() {
    System.err.println("the server ended the stream");
  }

  @Override
  public void stop() {
    if (channel != null) {
      channel.shutdownNow();
    }
  }

  /** All messages of a descriptor set by their full names; what a file imports is before it. */
  private static Map<String, Descriptor> messages(Path path) throws Exception {
    Map<String, FileDescriptor> files = new HashMap<>();
    Map<String, Descriptor> found = new HashMap<>();
    for (FileDescriptorProto file : FileDescriptorSet.parseFrom(Files.readAllBytes(path)).getFileList()) {
      FileDescriptor[] imports = file.getDependencyList().stream().map(files::get).toArray(FileDescriptor[]::new);
      FileDescriptor made = FileDescriptor.buildFrom(file, imports);
      files.put(file.getName(), made);
      made.getMessageTypes().forEach(type -> found.put(type.getFullName(), type));
    }
    return found;
  }
}
