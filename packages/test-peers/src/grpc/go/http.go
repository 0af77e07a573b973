package main

import (
	"net"
	"net/http"
	"strconv"
)

// serveHTTP answers as something between client and server does, with the HTTP/2 of Go's net/http: with the status in the
// path, or by breaking the stream off after the headers.
func serveHTTP() int {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	handler := func(answer http.ResponseWriter, request *http.Request) {
		if code, err := strconv.Atoi(request.Header.Get("x-status")); err == nil {
			answer.Header().Set("content-type", "text/html")
			answer.WriteHeader(code)
			return
		}
		answer.Header().Set("content-type", "application/grpc")
		answer.WriteHeader(http.StatusOK)
		must(http.NewResponseController(answer).Flush())
		// Ends the stream with RST_STREAM INTERNAL_ERROR.
		panic(http.ErrAbortHandler)
	}
	server := &http.Server{Handler: http.HandlerFunc(handler), Protocols: protocols}
	listener := listen()
	go func() { must(server.Serve(listener)) }()
	return listener.Addr().(*net.TCPAddr).Port
}
