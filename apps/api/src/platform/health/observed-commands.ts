import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Counter } from 'prom-client';
import { AppError } from '../errors/app-error.js';
import { inSpan } from '../tracing/tracing.js';
import { Metrics } from './metrics.js';

/** Counts and traces every command that goes over the bus, by the name of its class. */
@Injectable()
export class ObservedCommands {
  private readonly commands;
  private readonly refusals;

  constructor(bus: CommandBus, { registry }: Metrics) {
    const registers = [registry];
    this.commands = new Counter({
      name: 'nova_commands_total',
      help: 'Commands by type and outcome: done, refused, or failed on our side',
      labelNames: ['command', 'outcome'] as const,
      registers,
    });
    this.refusals = new Counter({
      name: 'nova_command_refusals_total',
      help: 'Commands that were refused or failed, by type and by the code that callers see',
      labelNames: ['command', 'code'] as const,
      registers,
    });
    const execute = bus.execute.bind(bus);
    bus.execute = ((...[command, asyncContext]: Parameters<typeof execute>) =>
      this.observe(
        command.constructor.name,
        async () => await execute(command, asyncContext),
      )) as CommandBus['execute'];
  }

  private async observe<T>(command: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await inSpan(`command ${command}`, {}, work);
      this.commands.inc({ command, outcome: 'done' });
      return result;
    } catch (error) {
      const isRefusal = error instanceof AppError && error.statusCode < 500;
      this.commands.inc({ command, outcome: isRefusal ? 'refused' : 'failed' });
      this.refusals.inc({ command, code: error instanceof AppError ? error.code : 'INTERNAL_ERROR' });
      throw error;
    }
  }
}
