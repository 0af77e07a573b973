// A gRPC server made with grpc-go, for tests. Flags say where the descriptor set and the certificates are. It listens on one
// loopback port for each way to be reached, and prints them as one line of JSON. It ends with its standard input.
package main

import (
	"encoding/json"
	"flag"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

func main() {
	descriptors := flag.String("descriptors", "", "file with the descriptor set")
	certificates := flag.String("certificates", "", "folder with ca.pem, server.pem and server.key")
	flag.Parse()
	feed := newFeed(register(*descriptors))
	patient := keepalive.EnforcementPolicy{MinTime: time.Millisecond, PermitWithoutStream: true}
	ports := map[string]int{
		"plain":  serve(feed, grpc.KeepaliveEnforcementPolicy(patient)),
		"tls":    serve(feed, secured(*certificates, false)),
		"mtls":   serve(feed, secured(*certificates, true)),
		"strict": serve(feed),
		"aged":   serve(feed, aged(10*time.Second)),
		"cut":    serve(feed, aged(100*time.Millisecond)),
		"http": serveHTTP(),
	}
	must(json.NewEncoder(os.Stdout).Encode(ports))
	_, err := io.Copy(io.Discard, os.Stdin)
	must(err)
}

// serve starts one server with everything on it, and returns its port.
func serve(feed *feed, options ...grpc.ServerOption) int {
	server := grpc.NewServer(append(options, grpc.ForceServerCodec(codec{}))...)
	server.RegisterService(feed.description(), nil)
	healthpb.RegisterHealthServer(server, health.NewServer())
	reflection.Register(server)
	listener := listen()
	go func() { must(server.Serve(listener)) }()
	return listener.Addr().(*net.TCPAddr).Port
}

// aged ends connections: GOAWAY first, and after the grace whatever is still open.
func aged(grace time.Duration) grpc.ServerOption {
	return grpc.KeepaliveParams(keepalive.ServerParameters{
		MaxConnectionAge: 500 * time.Millisecond, MaxConnectionAgeGrace: grace,
	})
}

func listen() net.Listener {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	return listener
}

// register makes the files known, so that reflection finds them.
func register(file string) *protoregistry.Files {
	bytes, err := os.ReadFile(filepath.Clean(file))
	must(err)
	var set descriptorpb.FileDescriptorSet
	must(proto.Unmarshal(bytes, &set))
	for _, each := range set.File {
		if _, err := protoregistry.GlobalFiles.FindFileByPath(each.GetName()); err == nil {
			continue
		}
		made, err := protodesc.NewFile(each, protoregistry.GlobalFiles)
		must(err)
		must(protoregistry.GlobalFiles.RegisterFile(made))
	}
	return protoregistry.GlobalFiles
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
