export { CropDialog } from './crop-dialog';
export { sizeText } from './file-preview';
export { REGISTRATION } from './registration';
export { UploadDialog } from './upload-dialog';
export { ADMIN_CONTENT_RULES, CONTENT_RULES, PROFILE_IMAGE_RULES, type UploadedFile } from './upload-rules';
