import { describe, expect, it } from '@jest/globals';
import { NetworkError } from '@uppy/core/utils';
import { ApiError } from '../api/api-error';
import { faultOf, faultSentence, mayPass } from './upload-retries';
import { CONTENT_RULES, describeRules, kindsOf, PROFILE_IMAGE_RULES } from './upload-rules';

const refusal = (status: number, responseText = '') => new NetworkError('', { status, responseText } as XMLHttpRequest);

describe('trouble while sending', () => {
  it.each([
    [0, '', true],
    [403, '{"message":"Request has expired"}', true],
    [403, '<Error><Message>Request has expired</Message></Error>', true],
    [403, '{"code":"UPLOAD_FORGED"}', false],
    [400, '', false],
    [401, '', false],
    [404, '', false],
    [409, '', true],
    [413, '', false],
    [415, '', false],
    [429, '', true],
    [500, '', true],
    [503, '', true],
  ])('of status %i and "%s" may pass: %s', (status, body, passes) => {
    expect(mayPass({ status, body })).toBe(passes);
  });

  it('is read from what the store and the API answered, and from a connection that broke', () => {
    expect(faultOf(refusal(415, 'x'))).toEqual({ status: 415, body: 'x' });
    expect(faultOf(new ApiError(413, '{"message":"Too large."}', ''))).toMatchObject({ status: 413 });
    expect(faultOf(new NetworkError(''))).toEqual({ status: 0, body: '' });
    expect(faultOf(new TypeError('x'))).toBeUndefined();
    expect(faultOf('x')).toBeUndefined();
  });

  it('is told in the server’s own sentence where it sent one', () => {
    const said = (error: unknown) => faultSentence(faultOf(error), 'cat.jpg');
    expect(said(refusal(415, '{"message":"This file cannot be used."}'))).toBe('This file cannot be used.');
    expect(said(new ApiError(413, '{"message":"This file is too large."}', ''))).toBe('This file is too large.');
    for (const body of ['', '<Error/>', '{"message":""}', '{"message":5}', '{broken']) {
      expect(said(refusal(500, body))).toBe('Failed to upload cat.jpg');
    }
    expect(said('x')).toBe('Failed to upload cat.jpg');
  });
});

describe('what a place takes', () => {
  it('is said before a file is picked', () => {
    expect(describeRules(CONTENT_RULES)).toBe('One image or video, at most 50 MB');
    expect(describeRules(PROFILE_IMAGE_RULES)).toBe('One image, at most 10 MB');
    expect(kindsOf(CONTENT_RULES)).toEqual(['image', 'video']);
  });
});
