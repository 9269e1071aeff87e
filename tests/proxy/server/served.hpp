#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/server/proxy_process.hpp"
#include "tests/proxy/server/wire.hpp"

namespace splitproof::server {

inline constexpr const char* kMessages = "/v1/messages";

/// Requests for a stream and for a whole message.
inline const std::string kStreamed =
    R"({"stream":true,"model":"m","max_tokens":100,"messages":[{"role":"user","content":"Hi"}]})";
inline const std::string kWhole =
    R"({"model":"m","max_tokens":100,"messages":[{"role":"user","content":"Hi"}]})";

/// Returns an upstream event with a piece of text; kFinish ends its message.
inline std::string text_event(const std::string& text) {
  return "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + text + "\"}}]}\n\n";
}
inline const std::string kFinish =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

/// A client with a request, and the connection on which the upstream has read the proxy's request.
struct Asked {
  Client client;
  UpstreamConnection connection;
  Request request;
};

/// A proxy between a test's upstream and its clients.
struct Served {
  explicit Served(const std::string& config = {}, const std::vector<std::string>& more = {"--seed", "1"})
      : proxy(upstream.url(), config, more) {}

  Asked ask(const std::string& body = kStreamed, const std::string& headers = {},
            const std::string& path = kMessages) const {
    Client client(proxy.port());
    client.post(path, body, headers);
    UpstreamConnection connection = upstream.accept();
    Request request = connection.request();
    return {std::move(client), std::move(connection), std::move(request)};
  }

  Upstream upstream;
  ProxyProcess proxy;
};

/// Reads until `text` is in the body. Returns false if the response ended first, or nothing more came.
inline bool read_text(Client& client, const std::string& text) {
  return client.read_until([&] { return client.body().find(text) != std::string::npos; });
}

}  // namespace splitproof::server
