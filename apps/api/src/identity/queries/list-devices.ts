import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type CredentialAttempt, Credentials } from '../credentials.js';
import { Devices } from '../devices.js';
import { DEVICES_MAX } from '../limits.js';

export class DeviceDto {
  id: string;
  userAgent: string;
  /** When the device first signed in, ISO 8601. */
  createdAt: string;
}

export class DevicesResponse {
  devices: DeviceDto[];
  count: number;
  /** The most devices that an account may have. */
  limit: number;
}

/** The devices of the account that the credentials prove, newest first (rule accounts-20). */
export class ListDevices extends Query<DevicesResponse> {
  constructor(readonly attempt: CredentialAttempt) {
    super();
  }
}

@QueryHandler(ListDevices)
export class ListDevicesHandler implements IQueryHandler<ListDevices> {
  constructor(
    private readonly credentials: Credentials,
    private readonly devices: Devices,
  ) {}

  /** @throws AppError 401 wrong credentials, 429 too many failures */
  async execute({ attempt }: ListDevices): Promise<DevicesResponse> {
    const account = await this.credentials.verify(attempt);
    const devices = (await this.devices.list(account.id)).map(({ id, userAgent, createdAt }) => ({
      id,
      userAgent,
      createdAt: createdAt.toISOString(),
    }));
    return { devices, count: devices.length, limit: DEVICES_MAX };
  }
}
