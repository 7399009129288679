declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks';

  /** The store in which oidc-provider keeps the current call. */
  const callContexts: AsyncLocalStorage<unknown>;
  export default callContexts;
}
