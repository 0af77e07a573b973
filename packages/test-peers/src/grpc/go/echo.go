package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"strings"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
)

// echo tells what arrived with a call, as JSON.
func echo(ctx context.Context) string {
	received, _ := metadata.FromIncomingContext(ctx)
	entries := map[string][]string{}
	for name, values := range received {
		for _, value := range values {
			if strings.HasSuffix(name, "-bin") {
				value = hex.EncodeToString([]byte(value))
			}
			entries[name] = append(entries[name], value)
		}
	}
	authority := strings.Join(entries[":authority"], ",")
	_, deadline := ctx.Deadline()
	text, err := json.Marshal(map[string]any{
		"authority": authority, "metadata": entries, "deadline": deadline, "client": client(ctx),
	})
	must(err)
	return string(text)
}

// client is the name in the certificate of the client, empty without one.
func client(ctx context.Context) string {
	from, _ := peer.FromContext(ctx)
	secured, ok := from.AuthInfo.(credentials.TLSInfo)
	if !ok || len(secured.State.PeerCertificates) == 0 {
		return ""
	}
	return secured.State.PeerCertificates[0].Subject.CommonName
}
