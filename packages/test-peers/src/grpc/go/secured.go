package main

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// secured serves with TLS, and asks clients for a certificate when it is mutual.
func secured(folder string, mutual bool) grpc.ServerOption {
	file := func(name string) string { return filepath.Join(folder, name) }
	certificate, err := tls.LoadX509KeyPair(file("server.pem"), file("server.key"))
	must(err)
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	if mutual {
		authority, err := os.ReadFile(file("ca.pem"))
		must(err)
		config.ClientCAs = x509.NewCertPool()
		config.ClientCAs.AppendCertsFromPEM(authority)
		config.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return grpc.Creds(credentials.NewTLS(config))
}
