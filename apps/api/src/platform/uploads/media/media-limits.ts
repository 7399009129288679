/** Longer sides are scaled down: no screen has use for more. */
export const SIDE_PX_MAX = 8192;
/** Of a still picture, before it is decoded: a panorama, or all of a camera's 108 million. */
export const IMAGE_PX_MAX = 128_000_000;
/** HEIC is decoded without native code, which takes its time. */
export const HEIC_PX_MAX = 50_000_000;
/** All frames of a moving picture together. Writing as many anew takes some seconds. */
export const FRAMES_PX_MAX = 32_000_000;
/** Those of one that becomes a video, which is written much faster. */
export const MOVING_VIDEO_PX_MAX = 500_000_000;
export const THUMBNAIL_PX = 640;
