import { Client, type ClientConfig } from 'pg';

/**
 * A client that ends its connection when an answer did not come in time (`query_timeout`). The driver gives up the question
 * alone: the connection would go back to its pool, and whoever got it next would wait behind that question in vain. A
 * connection that breaks fails what is under way on it, and not the process (see `openPool`).
 */
export class ImpatientClient extends Client {
  constructor(settings?: string | ClientConfig) {
    super(settings);
    this.on('error', () => undefined);
  }

  override query: Client['query'] = ((...question: Parameters<Client['query']>) => {
    const answer: unknown = super.query(...question);
    if (answer instanceof Promise) void this.endUnlessAnswered(answer);
    return answer;
  }) as Client['query'];

  private async endUnlessAnswered(answer: Promise<unknown>): Promise<void> {
    try {
      await answer;
    } catch (error) {
      const isUnanswered = error instanceof Error && error.message === 'Query read timeout';
      if (isUnanswered) await this.end().catch(() => undefined);
    }
  }
}
