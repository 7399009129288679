import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { declaredFormat, kindOf } from './media/media-format.js';
import { PURPOSE_LIMITS, unsupportedFile } from './upload-limits.js';
import { type IssueUpload, Uploads, type UploadTicket } from './uploads.js';

interface AskedUpload extends IssueUpload {
  readonly contentType?: string | undefined;
}

export class IssueUploadTicket extends Command<UploadTicket> {
  constructor(readonly upload: AskedUpload) {
    super();
  }
}

/** Issues an address to which a file can be uploaded. */
@CommandHandler(IssueUploadTicket)
export class IssueUploadTicketHandler implements ICommandHandler<IssueUploadTicket> {
  constructor(private readonly uploads: Uploads) {}

  /** @throws AppError 413 larger than the purpose allows, 415 a type that is never taken */
  async execute({ upload: { contentType, ...upload } }: IssueUploadTicket): Promise<UploadTicket> {
    const { kinds } = PURPOSE_LIMITS[upload.purpose];
    if (contentType !== undefined) {
      const format = declaredFormat(contentType);
      if (format === undefined || !kinds.includes(kindOf(format))) throw unsupportedFile(kinds);
    }
    return this.uploads.issue(upload);
  }
}
