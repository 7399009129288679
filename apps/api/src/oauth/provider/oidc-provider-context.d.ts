declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks';

  /** Where oidc-provider keeps the call that is being answered. */
  const callContexts: AsyncLocalStorage<unknown>;
  export default callContexts;
}
