module levada.dev/connect-client

go 1.24.0

require github.com/cloudhut/connect-client v0.0.0-20240523140316-27c93e339567

require (
	github.com/go-resty/resty/v2 v2.7.0 // indirect
	golang.org/x/net v0.8.0 // indirect
)
