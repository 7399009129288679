#!/usr/bin/env bash
# Draws the landing screen's loop with ffmpeg's own generators: a star field that twinkles under a slow aurora, in the
# product's palette. Everything moves with whole periods of the loop's length, so the end meets the start.
# Writes apps/web/public/landing.{webm,mp4} and landing-poster.webp.
set -euo pipefail

cd "$(dirname "$0")/.."
out=apps/web/public
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seconds=12
rate=24
width=1600
height=900
turn="2*PI*T/$seconds"
beat="2*PI*t/$seconds" # the same, as the eq filter names time

# The aurora is soft, so it is drawn small and enlarged. Two curtains, teal and violet, over a sky that warms at the horizon.
veil() { # centre, height, phase, turns: brightness of one curtain at a point
  echo "exp(-pow((Y/H-($1)-0.07*sin(4.1*X/W+$turn*$4+$3)-0.035*sin(9.3*X/W-$turn*$4+2*($3)))/$2,2))*(0.62+0.38*sin(6.7*X/W+$turn*$4+$3)*sin(2.9*X/W-$turn+$3))"
}
teal=$(veil 0.34 0.17 0.4 1)
violet=$(veil 0.52 0.22 2.3 1)
dusk="pow(Y/H,4)"
ffmpeg -hide_banner -loglevel error -y -f lavfi -i "color=black:s=200x112:r=$rate:d=$seconds,format=gbrp" -vf \
  "geq=r='9+22*($teal)*0.25+52*($violet)+34*$dusk':g='10+66*($teal)+20*($violet)+20*$dusk':b='19+62*($teal)+84*($violet)+18*$dusk',scale=$width:$height:flags=bicubic,gblur=sigma=14" \
  -c:v ffv1 "$work/aurora.mkv"

# Stars: rare white points of a fixed noise, faint and bright, and a second set that twinkles against the first.
stars() { # seed, rarity, size of the blur, gain
  ffmpeg -hide_banner -loglevel error -y -f lavfi -i "color=black:s=${width}x${height}:d=1:r=1,format=gray" -vf \
    "geq=lum='if(gt(random($1),$2),120+135*random($1+1),0)',gblur=sigma=$3,geq=lum='min(255,lum(X,Y)*$4)'" -frames:v 1 "$work/stars$1.png"
}
stars 1 0.9995 0.6 2.2
stars 3 0.9998 0.9 5
stars 5 0.99994 1.5 11

ffmpeg -hide_banner -loglevel error -y -i "$work/aurora.mkv" \
  -loop 1 -framerate $rate -t $seconds -i "$work/stars1.png" \
  -loop 1 -framerate $rate -t $seconds -i "$work/stars3.png" \
  -loop 1 -framerate $rate -t $seconds -i "$work/stars5.png" \
  -filter_complex "
    [1]format=gbrp,lutrgb=r=val*0.55:g=val*0.55:b=val*0.62[faint];
    [2]eq=eval=frame:contrast='0.72+0.28*sin($beat*2)':brightness='-0.14+0.14*sin($beat*2)',format=gbrp[middle];
    [3]eq=eval=frame:contrast='0.72-0.28*sin($beat)':brightness='-0.14-0.14*sin($beat)',format=gbrp,lutrgb=g=val*0.93:b=val*0.78[bright];
    [0]format=gbrp[sky];
    [sky][faint]blend=all_mode=screen[a];[a][middle]blend=all_mode=screen[b];[b][bright]blend=all_mode=screen,
    noise=alls=2:allf=u,format=yuv420p" \
  -t $seconds -c:v ffv1 "$work/loop.mkv"

ffmpeg -hide_banner -loglevel error -y -i "$work/loop.mkv" -frames:v 1 -c:v libwebp -quality 72 -compression_level 6 "$out/landing-poster.webp"
ffmpeg -hide_banner -loglevel error -y -i "$work/loop.mkv" -an -c:v libx264 -preset slow -crf 27 -pix_fmt yuv420p -movflags +faststart -map_metadata -1 -fflags +bitexact "$out/landing.mp4"
ffmpeg -hide_banner -loglevel error -y -i "$work/loop.mkv" -an -c:v libvpx-vp9 -b:v 0 -crf 39 -row-mt 1 -cpu-used 3 -map_metadata -1 -fflags +bitexact "$out/landing.webm"
ls -l "$out"/landing*
