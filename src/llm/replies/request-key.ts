import { sha256 } from "../../base/hash.ts";
import { canonicalJson } from "../../base/json.ts";
import type { ChatRequest } from "../../contracts/language-model.ts";

/**
 * The identity of a request: SHA-256 over everything that can change its reply, the server included. Requests of one key
 * are the same request; a setting left out differs from one given at what may be the server's default. Neither the API
 * key nor who asks is part of it.
 * @param endpoint base URL of the server
 */
export function requestKey(request: ChatRequest, endpoint: string): string {
  const { label: _, ...decisive } = request;
  return sha256(canonicalJson({ ...decisive, endpoint: nameEndpoint(endpoint) }));
}

/** A base URL without what may be secret (user, password, query) and without trailing slashes; other texts as they are. */
export function nameEndpoint(endpoint: string): string {
  if (!URL.canParse(endpoint)) return endpoint;
  const { protocol, host, pathname } = new URL(endpoint);
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;
}
