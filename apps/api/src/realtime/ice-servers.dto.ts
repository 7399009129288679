export class IceServerDto {
  urls: string[];
  username?: string;
  credential?: string;
}

export class IceServersDto {
  iceServers: IceServerDto[];
}
