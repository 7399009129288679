import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '../errors/error-codes.js';

/** The shape of every refusal: ours, with the fields of problem details (RFC 9457) beside it. */
export class ErrorBody {
  /** The HTTP status. */
  @ApiProperty({ example: 400 })
  statusCode: number;

  /** A stable word for programs. */
  @ApiProperty({ enum: ERROR_CODES, enumName: 'ErrorCode', example: 'VALIDATION_FAILED' })
  code: ErrorCode;

  /** A sentence for people. */
  @ApiProperty({ example: 'The request has invalid values.' })
  message: string;

  /** Also in the header `x-request-id` and in the logs. */
  @ApiProperty({ example: '0190a8c4-7d3e-4b6f-8a51-2f0c9d7e6b14' })
  requestId: string;

  /** `code` as an address. */
  @ApiProperty({ example: 'urn:nova:error:VALIDATION_FAILED' })
  type: string;

  /** `code` as words. */
  @ApiProperty({ example: 'Validation failed' })
  title: string;

  /** As `statusCode`. */
  @ApiProperty({ example: 400 })
  status: number;

  /** As `message`. */
  @ApiProperty({ example: 'The request has invalid values.' })
  detail: string;

  /** `requestId` as an address. */
  @ApiProperty({ example: 'urn:uuid:0190a8c4-7d3e-4b6f-8a51-2f0c9d7e6b14' })
  instance: string;
}
