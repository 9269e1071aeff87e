#pragma once

#include "proxy/server/event_loop.hpp"
#include "proxy/server/held_bodies.hpp"
#include "proxy/server/kept_conversation.hpp"
#include "proxy/server/routes.hpp"
#include "proxy/server/settings.hpp"
#include "proxy/server/streams.hpp"
#include "proxy/server/translations.hpp"
#include "proxy/server/upstream_channel.hpp"

namespace splitproof::server {

/// The parts of the server that a client's connection uses.
struct ServerParts {
  const ServerSettings& settings;
  EventLoop& loop;
  UpstreamPool& pool;
  Routes& routes;
  OpenStreams& streams;
  HeldBodies& bodies;
  Translations& translations;
  ConversationMemory& conversations;
};

}  // namespace splitproof::server
