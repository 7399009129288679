import { Agent } from 'node:http';
// The CommonJS build, which the tests load, has no named export.
// oxlint-disable-next-line import/no-named-as-default
import Stripe from 'stripe';
import type { OwnAddress } from '../own-address.js';

/** Below it are Stripe's own paths. */
const SANDBOX_PATH = '/sandbox/stripe';

/**
 * The transport under Stripe's client while the stand-in serves: the same requests, sent to this server, whose port is known
 * only once it listens.
 */
export function createSandboxHttpClient(address: Pick<OwnAddress, 'current'>): Stripe.HttpClient {
  // An idle connection to our own server would keep that from closing.
  const inner = Stripe.createNodeHttpClient(new Agent({ keepAlive: false }));
  return {
    getClientName: () => 'nova-sandbox',
    makeRequest: async (_host, _port, path, method, headers, body, _protocol, timeoutMs) => {
      const at = address.current;
      if (!at) throw new Error('the server is not listening yet');
      return inner.makeRequest(
        at.host,
        String(at.port),
        `${SANDBOX_PATH}${path}`,
        method,
        headers,
        body,
        'http',
        timeoutMs,
      );
    },
  };
}
