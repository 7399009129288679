import { randomUUID } from 'node:crypto';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { switchTracing } from './tracing.js';

/** A collector that does not answer must hold up neither the process nor its end. */
const EXPORT_MS_MAX = 5_000;

/**
 * Sends spans to a collector by OTLP over HTTP. The SDK is loaded only here: where no collector is configured there is none.
 * Its other settings are OpenTelemetry's own (`OTEL_TRACES_SAMPLER`, `OTEL_EXPORTER_OTLP_HEADERS`, …).
 * @param endpoint as `OTEL_EXPORTER_OTLP_ENDPOINT` has it: the collector's address, without `/v1/traces`
 * @returns sends what is left, and ends
 */
export async function startTracing(endpoint: string, logger: Logger): Promise<() => Promise<void>> {
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const say = (message: string): void => logger.warn({ detail: message }, 'traces could not be sent');
  const quiet = (): void => undefined;
  diag.setLogger(
    { error: say, warn: quiet, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS_MAX });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'nova', 'service.instance.id': randomUUID() }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  switchTracing(true);
  return async () => {
    switchTracing(false);
    await provider.shutdown();
    for (const part of [trace, context, propagation, diag]) part.disable();
  };
}
