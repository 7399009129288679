import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { PassportModule } from '@nestjs/passport';
import { ChannelListener } from '@app/event-store';
import { LoggerModule } from 'nestjs-pino';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { AccountErasure } from './account-erasure.js';
import { AccountTakeout } from './account-takeout.js';
import { FreshProofs } from './auth/fresh-proofs.js';
import { SessionGuard } from './auth/session.guard.js';
import { type Config, CONFIG } from './config.js';
import { type AreaTables, TABLES } from './database/tables.js';
import { DatabaseModule } from './database/database.module.js';
import { AppExceptionFilter } from './errors/exception.filter.js';
import { createValidationPipe } from './errors/validation.js';
import { JournalModule } from './journal/journal.module.js';
import type { Journal } from './journal/journal.js';
import { LedgerModule } from './ledger/ledger.module.js';
import type { OpenLedger } from './ledger/open-ledger.js';
import { HealthController } from './health/health.controller.js';
import { SecurityTxtController } from './http/security-txt.controller.js';
import { Metrics } from './health/metrics.js';
import { ObservedCommands } from './health/observed-commands.js';
import { ReadinessChecks } from './health/readiness.js';
import { SECURITY_HEADERS, type SecurityHeaders } from './http/security-headers.js';
import { KeyUses } from './key-uses/key-uses.js';
import { RateLimits } from './rate-limit/rate-limits.js';

export interface PlatformParts {
  readonly config: Config;
  readonly dataSource: DataSource;
  readonly tables: readonly AreaTables[];
  /** The one connection that listens. */
  readonly listener: ChannelListener;
  readonly journal: Journal;
  readonly ledger: OpenLedger;
  readonly logger: Logger;
  readonly securityHeaders: SecurityHeaders;
}

/** What every business area stands on. */
@Module({})
export class PlatformModule {
  static register(parts: PlatformParts): DynamicModule {
    const { config, dataSource, tables, listener, journal, ledger, logger, securityHeaders } = parts;
    return {
      module: PlatformModule,
      global: true,
      imports: [
        // Fastify has the logger already: requests bring theirs, everything else takes this one. No routes: a context for each
        // request (AsyncLocalStorage) makes every promise dearer before Node 24, which took a sixth of a request's time.
        LoggerModule.forRoot({ pinoHttp: { logger }, useExisting: true, forRoutes: [] }),
        DatabaseModule.register(dataSource),
        JournalModule.register(journal),
        LedgerModule.register(ledger),
        PassportModule.register({ session: false }),
        CqrsModule.forRoot(),
      ],
      controllers: [HealthController, SecurityTxtController],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: TABLES, useValue: tables },
        { provide: ChannelListener, useValue: listener },
        { provide: SECURITY_HEADERS, useValue: securityHeaders },
        { provide: APP_FILTER, useClass: AppExceptionFilter },
        { provide: APP_PIPE, useFactory: createValidationPipe },
        { provide: APP_GUARD, useClass: SessionGuard },
        AccountErasure,
        AccountTakeout,
        FreshProofs,
        KeyUses,
        RateLimits,
        ReadinessChecks,
        Metrics,
        ObservedCommands,
      ],
      exports: [
        AccountErasure,
        AccountTakeout,
        CONFIG,
        ChannelListener,
        SECURITY_HEADERS,
        FreshProofs,
        KeyUses,
        RateLimits,
        ReadinessChecks,
        Metrics,
      ],
    };
  }
}
