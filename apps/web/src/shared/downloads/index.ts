export type { Progress } from './download';
export { DownloadButton } from './download-button';
