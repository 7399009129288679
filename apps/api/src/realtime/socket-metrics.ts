import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/health/metrics.js';
import { LiveSockets } from './live-sockets.js';

/** Who is connected to this process. */
@Injectable()
export class SocketMetrics {
  constructor(sockets: LiveSockets, metrics: Metrics) {
    const help = 'Open live connections of this process';
    metrics.gauge('nova_sockets', help, () => sockets.size);
    metrics.gauge(
      'nova_socket_members',
      'Members with a live connection to this process',
      () => sockets.members().length,
    );
  }
}
