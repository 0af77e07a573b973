package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

const serviceName = "teststream.TestStreamService"

// feed answers the calls of the test service; the filter of the request says how (see request.go).
type feed struct {
	request, event protoreflect.MessageDescriptor
	// What became of the calls that were given a name.
	progress sync.Map
}

type progress struct {
	sent atomic.Int64
	over atomic.Bool
}

func newFeed(files *protoregistry.Files) *feed {
	return &feed{request: message(files, "StreamRequest"), event: message(files, "StreamEvent")}
}

func message(files *protoregistry.Files, name string) protoreflect.MessageDescriptor {
	found, err := files.FindDescriptorByName(protoreflect.FullName("teststream." + name))
	must(err)
	return found.(protoreflect.MessageDescriptor)
}

func (f *feed) description() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: serviceName,
		HandlerType: (*any)(nil),
		Streams: []grpc.StreamDesc{
			{StreamName: "StreamEvents", Handler: f.streamEvents, ServerStreams: true},
			{StreamName: "Exchange", Handler: exchange, ServerStreams: true, ClientStreams: true},
		},
		Metadata: "teststream/stream.proto",
	}
}

// exchange sends back what it gets.
func exchange(_ any, stream grpc.ServerStream) error {
	for {
		var event []byte
		if err := stream.RecvMsg(&event); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := stream.SendMsg(event); err != nil {
			return err
		}
	}
}

func (f *feed) streamEvents(_ any, stream grpc.ServerStream) error {
	request, err := f.receive(stream)
	if err != nil {
		return err
	}
	if request.gzip {
		if err := grpc.SetSendCompressor(stream.Context(), "gzip"); err != nil {
			return err
		}
	}
	switch {
	case request.echo:
		return stream.SendMsg(f.encode(1, "echo", echo(stream.Context())))
	case request.stat != "":
		return stream.SendMsg(f.encode(1, "stat", f.stat(request.stat)))
	}
	return f.send(request, stream)
}

func (f *feed) send(request request, stream grpc.ServerStream) error {
	named := f.progressOf(request.name)
	defer named.over.Store(true)
	payload := strings.Repeat("0123456789abcdef", request.size/16+1)[:request.size]
	for sent := int64(0); request.count < 0 || sent < request.count; sent++ {
		if err := stream.SendMsg(f.encode(request.after+sent+1, "test", payload)); err != nil {
			return err
		}
		named.sent.Add(1)
		if request.interval > 0 && !pause(stream, request.interval) {
			break
		}
	}
	if request.hold {
		<-stream.Context().Done()
	}
	if err := stream.Context().Err(); err != nil {
		return err
	}
	return status.Error(request.fail, request.message)
}

// pause tells whether the call is still there after a while.
func pause(stream grpc.ServerStream, interval time.Duration) bool {
	select {
	case <-stream.Context().Done():
		return false
	case <-time.After(interval):
		return true
	}
}

func (f *feed) receive(stream grpc.ServerStream) (request, error) {
	var bytes []byte
	if err := stream.RecvMsg(&bytes); err != nil {
		return request{}, err
	}
	message := dynamicpb.NewMessage(f.request)
	if err := proto.Unmarshal(bytes, message); err != nil {
		return request{}, status.Error(codes.InvalidArgument, err.Error())
	}
	fields := f.request.Fields()
	interval := message.Get(fields.ByName("interval_ms")).Int()
	return parse(message.Get(fields.ByName("filter")).String(), time.Duration(interval)*time.Millisecond)
}

func (f *feed) encode(sequence int64, eventType, payload string) []byte {
	event := dynamicpb.NewMessage(f.event)
	set := func(name string, value any) {
		event.Set(f.event.Fields().ByName(protoreflect.Name(name)), protoreflect.ValueOf(value))
	}
	set("event_id", fmt.Sprintf("event-%d", sequence))
	set("event_type", eventType)
	set("payload", payload)
	set("sequence", sequence)
	// Fields in order of their numbers, as other implementations write them.
	bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(event)
	must(err)
	return bytes
}

func (f *feed) progressOf(name string) *progress {
	found, _ := f.progress.LoadOrStore(name, &progress{})
	return found.(*progress)
}

func (f *feed) stat(name string) string {
	of := f.progressOf(name)
	text, err := json.Marshal(map[string]any{"sent": of.sent.Load(), "over": of.over.Load()})
	must(err)
	return string(text)
}
