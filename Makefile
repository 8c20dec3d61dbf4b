# make demo   install what is missing, build, and make out.mov
# make test   install what is missing, build, and run the checks and tests
# make help   the other targets

SHELL := /bin/bash
.DEFAULT_GOAL := build
# Recipes share SwiftPM's one build folder, which two of them cannot use at once.
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=

# The toolchain: $SWIFT, $SWIFT_TOOLCHAIN, the path, then the usual place of an unpacked one.
SWIFT ?= $(firstword \
  $(if $(SWIFT_TOOLCHAIN),$(wildcard $(SWIFT_TOOLCHAIN)/usr/bin/swift $(SWIFT_TOOLCHAIN)/bin/swift)) \
  $(shell command -v swift) $(wildcard /opt/swift/usr/bin/swift))

RELEASE := .build/release/kfrec

# GCC's libraries have its version in their names: the one that the system's own libgcc is of.
GCC := $(or $(shell dpkg-query -W -f='$${Package}\n' 'gcc-*-base' 2>/dev/null | sed -n 's/^gcc-\([0-9]*\)-base$$/\1/p' | sort -n | tail -1),12)
SUITE := $(shell . /etc/os-release 2>/dev/null; echo $$VERSION_CODENAME)
# Swift links with gold where it is; without it the program's tables stay writable (no GNU_RELRO). Since Debian 13 it has a package
# of its own.
GOLD := $(if $(filter bookworm jammy noble,$(SUITE)),,binutils-gold)
LIBXML2 := libxml2
# Since Debian 14 and Ubuntu 25.10.
ifneq ($(filter $(SUITE),forky sid questing resolute),)
LIBXML2 := libxml2-16
# SwiftPM and the linker of a toolchain for Debian 12 load libxml2 by the name that it had until Debian 13. They call
# nothing of it for kfrec; the loader says that it misses its versions.
export LD_LIBRARY_PATH := $(CURDIR)/.build/toolchain$(if $(LD_LIBRARY_PATH),:$(LD_LIBRARY_PATH))
endif
# Package.swift looks which parts of glslang are there. SwiftPM keeps its answer for each environment, so that what was
# installed since would stay unseen: the list stands in the environment.
export KFREC_GLSLANG = $(shell ls /usr/lib/lib{MachineIndependent,HLSL,OGLCompiler}.a /usr/lib/*/lib{MachineIndependent,HLSL,OGLCompiler}.a 2>/dev/null)

# Debian packages: what the Swift toolchain compiles, links and runs with, what kfrec is made of, and a Vulkan driver for
# machines without a GPU.
PACKAGES := \
  binutils $(GOLD) libc6-dev libgcc-$(GCC)-dev libstdc++-$(GCC)-dev libcurl4 libncurses6 libsqlite3-0 $(LIBXML2) \
  libavcodec-dev libavfilter-dev libavformat-dev libavutil-dev libswresample-dev libswscale-dev \
  libasound2-dev libv4l-dev libvulkan-dev libshaderc-dev glslang-dev spirv-tools mesa-vulkan-drivers \
  libsdl2-dev libsdl2-ttf-dev librubberband-dev fonts-dejavu-core libchafa-dev pkg-config libmicrohttpd-dev \
  libass-dev libfontconfig-dev liblcms2-dev libxcb1-dev libxcb-composite0-dev libxcb-shm0-dev libxcb-xfixes0-dev
# The tests make their inputs with ffmpeg and watch the GPU's use with the validation layer.
# An X server and a Wayland compositor without a screen, and what presses keys and looks, try the windows; a browser
# that a program drives tries the page of --control. Python reads the documents, and runs their commands. The completions
# are tried in their shells. Debian 14 has ffplay apart.
TEST_PACKAGES := ffmpeg webp python3 zsh fish groff-base vulkan-validationlayers xvfb xdotool x11-xserver-utils sway grim \
  chromium chromium-driver
ifneq ($(filter forky sid,$(SUITE)),)
TEST_PACKAGES += ffplay
endif
# Debian's kernel has test drivers for cameras and sound cards; it runs in QEMU. The kernel, and v4l2loopback which is
# built for it, are downloaded and unpacked there, not installed. Tests/Camera/tools looks for what these hold.
CAMERA_PACKAGES := qemu-system-x86 busybox-static cpio e2fsprogs kmod xz-utils strace v4l-utils gcc-12 make alsa-utils
# A Slurm of one machine.
SLURM_PACKAGES := slurm-wlm munge
# What `make isf` renders its reference images with.
ISF_PACKAGES := ffmpeg libegl1 libgl1-mesa-dri python3-moderngl python3-numpy python3-pil
# What `make bench` likes to compare with, besides ffmpeg.
PEER_PACKAGES := \
  frei0r-plugins gstreamer1.0-tools gstreamer1.0-gl gstreamer1.0-libav \
  gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly

# What the portable folder's own FFmpeg, SDL and libxml2 are built with.
PORTABLE_PACKAGES := \
  gcc make nasm patchelf xz-utils dpkg-dev vulkan-validationlayers libx264-dev libvpx-dev libdav1d-dev libopus-dev \
  libvorbis-dev libmp3lame-dev libwebp-dev libsrt-gnutls-dev libgnutls28-dev libva-dev libdrm-dev libffmpeg-nvenc-dev \
  libbz2-dev liblzma-dev zlib1g-dev
PACKAGE_TEST_PACKAGES := apt-utils gnupg debootstrap ffmpeg lintian skopeo umoci

# A module and the folders of Sources that may import it: the arrows of the layout point one way.
LAYERS := \
  CVulkan:GPU CV4L2:V4L2Handles,Capture,Encode CALSA:ALSAHandles CShaderc:ShaderCompiler SPIRVOptimizer:ShaderCompiler CFFmpeg:FFmpegHandles,Capture,Encode,Terminal \
  V4L2Handles:Capture,Encode ALSAHandles:Capture,Control CXCB:XCBHandles XCBHandles:Capture \
  FFmpegHandles:Capture,Encode,Recorder,Player,Terminal,kfrec Capture:Batch,Recorder,Player,kfrec Encode:Batch,Recorder,Player,Terminal,Window,kfrec \
  CSDL:Window,Player DisplayLoss:Window CRubberBand:Capture CLCMS:Capture,Encode Window:Player,Terminal,kfrec Player:kfrec CChafa:Terminal Terminal:kfrec CMicroHTTPD:Web Web:kfrec CLibass:Text Text:ShaderEffects \
  GPU:ShaderEffects,Render,EffectLab,Recorder,Window,kfrec ShaderEffects:Batch,Control,Render,EffectLab,Recorder,Web,kfrec \
  ShaderCompiler:GPU,ShaderEffects,Render,EffectLab,Recorder,Window,kfrec DiskCache:Batch,ShaderCompiler,GPU,EffectLab,Recorder,Window \
  Render:EffectLab,Recorder,kfrec EffectLab:kfrec Control:Web,kfrec Settings:Batch,Capture,Control,Encode,Player,Recorder,kfrec \
  Recorder:Batch,Player,kfrec Foundation:

.PHONY: build demo apt-repository arm64 list-packages test camera-test sharing-test slurm-test library-test document-test asan tsan fuzz release torture bench isf peers check lint layers packages swift install golden-update gallery costs clean help

build: swift ## the release program, at .build/release/kfrec
	$(SWIFT) build -c release --static-swift-stdlib --product kfrec
	@Packaging/note-commit $(RELEASE)

demo: packages build ## the main job on a sample: out.mov
	$(RELEASE) -y -i samples/big-buck-bunny.mp4 -e separateRGB -o out.mov
	@echo "out.mov is made; play it with any player, such as: ffplay out.mov"

# The tests run the release program, as users do, and are themselves of the debug build. Those of whole recordings wait for
# programs most of the time, so the others run beside them; behind these those of the GPU run again on SwiftShader, whose limits are
# Vulkan's smallest ones, too.
UNIT_TESTS = KFREC_STRICT=1 KFREC_BINARY='$(CURDIR)/$(RELEASE)' XDG_CACHE_HOME='$(CURDIR)/.build/test-caches' \
  Tests/run $(SWIFT) test --skip-build --disable-xctest --ignore-lock
test: packages check build ## all checks and tests, with warnings as errors (CAMERA=skip leaves the cameras out)
	KFREC_STRICT=1 $(SWIFT) build --build-tests
	{ $(UNIT_TESTS) --filter '^RecordingTests\.[A-D]' && \
	    $(MAKE) --no-print-directory document-test PROGRAM=$(RELEASE); } & first=$$!; \
	  $(UNIT_TESTS) --filter '^RecordingTests\.[E-R]' & second=$$!; \
	  $(UNIT_TESTS) --filter '^RecordingTests\.[S-Z]' & third=$$!; \
	  status=0; $(UNIT_TESTS) --skip '^RecordingTests\.' || status=1; \
	  VK_DRIVER_FILES=/usr/lib/chromium/vk_swiftshader_icd.json $(UNIT_TESTS) --filter '^GPUTests\.' || status=1; \
	  for part in $$first $$second $$third; do wait $$part || status=1; done; exit $$status
	Tests/Sharing/run $(SWIFT) .build/sharing
	Tests/Packages/starter .build/starter
	@$(MAKE) --no-print-directory camera-test

# The commands, messages and links of all Markdown files.
document-test: packages $(if $(PROGRAM),,build) ## links, commands and messages of all Markdown files; a minute (PROGRAM=...)
	Tests/Documents/run $(or $(PROGRAM),$(RELEASE)) .build/documents

library-test: packages $(if $(PROGRAM),,build) ## the example of docs/library.md as a package of its own; two minutes (PROGRAM=...)
	Tests/Library/run $(SWIFT) $(or $(PROGRAM),$(RELEASE)) .build/library

# A machine of its own, with the kernel's test driver for cameras; behind the other tests, which would
# disturb it.
ifeq ($(CAMERA),skip)
camera-test:
	@echo "NOT TESTED, because of CAMERA=skip: cameras and microphones. No frame was captured from a device, and"
	@echo "no audio; formats, colours, timestamps, clocks, controls, unplugging, stalls, faults and signals"
	@echo "were not tried."
else
camera-test: PACKAGES += $(TEST_PACKAGES) $(CAMERA_PACKAGES)
camera-test: packages build ## the camera tests alone, in QEMU, of the release program; some minutes
	KFREC_STRICT=1 $(SWIFT) build --build-tests
	KFREC_STRICT=1 KFREC_CAMERA_TESTS=1 Tests/run $(SWIFT) test --skip-build --disable-xctest --filter CameraTests
endif

# Debian's own Swift makes it, in roots of its own.
arm64: PACKAGES += debootstrap qemu-user-static
arm64: packages ## the program for aarch64, cross-compiled and tried under QEMU, and its package: DIR/kfrec, DIR/kfrec_*_arm64.deb (DIR=.build/arm64 EFFECTS="..."); as root, an hour
	Packaging/arm64 $(or $(DIR),.build/arm64) $(or $(EFFECTS),separateRGB vignette)

list-packages:
	@echo $(filter-out $(GOLD),$(PACKAGES))

# Each has a build of its own, in .build/asan and .build/tsan. TESTS names the suites (TESTS=none: only recordings).
asan: packages swift ## the tests and some recordings under AddressSanitizer, leaks too; up to an hour (TESTS="...")
	Tests/Sanitizers/run address $(SWIFT)

tsan: packages swift ## the same under ThreadSanitizer (TESTS="...")
	Tests/Sanitizers/run thread $(SWIFT)

sharing-test: packages swift ## frames in the memory of another device, with a driver that opens them; a minute and the build
	KFREC_STRICT=1 $(SWIFT) build --build-tests
	Tests/Sharing/run $(SWIFT) .build/sharing

slurm-test: PACKAGES += $(TEST_PACKAGES) $(SLURM_PACKAGES)
slurm-test: packages build ## kfrec batch --slurm in a real Slurm with three nodes on this machine; some minutes
	KFREC_EFFECTS="$(CURDIR)/Effects" Tests/Slurm/run $(RELEASE) .build/slurm

torture: packages $(if $(PROGRAM),,build) ## damaged media and caches, hostile effects, random words, kills, full disks (PARTS="media words" SEED=11 ROUNDS=50 SECONDS=600 PROGRAM=...)
	Tests/Torture/run $(or $(PROGRAM),$(RELEASE)) .build/torture --parts "$(PARTS)" \
	  $(if $(SEED),--seed "$(SEED)") $(if $(ROUNDS),--rounds "$(ROUNDS)") $(if $(SECONDS),--seconds "$(SECONDS)")

# A build of its own, in .build/fuzz; the time is for each target (Tests/Fuzz/README.md).
fuzz: packages swift ## random bytes for kfrec's own parsers, by libFuzzer and AddressSanitizer (SECONDS=60 TARGETS="...")
	Tests/Fuzz/run $(SWIFT) $(or $(SECONDS),60) $(TARGETS)

release: ## checks everything, makes the packages and the tag; some hours (QUICK=1: no long tests, no tag; RELEASING.md)
	Tests/Release/run $(if $(QUICK),quick)

check: lint layers ## the checks that need no build

lint: swift
	$(SWIFT) format lint --strict --parallel -r Sources Tests Examples Package.swift

layers:
	@status=0; for rule in $(LAYERS); do \
	  module=$${rule%%:*}; folders=$${rule#*:}; \
	  found=$$(grep -rnE --include='*.swift' \
	    "^[[:space:]]*([@a-z_]+(\([a-z]*\))?[[:space:]]+)*import[[:space:]]+([a-z]+[[:space:]]+)?$$module([.[:space:]]|$$)" \
	    Sources | grep -vE "^Sources/($${folders//,/|})/" || true); \
	  if [ -n "$$found" ]; then \
	    echo "$$found"; \
	    echo "error: $$module may be imported in these folders of Sources only: $${folders:-none}"; status=1; \
	  fi; \
	done; exit $$status

# ROUNDS, FRAMES, SIZES, LIVE and PROGRAMS reach it by the environment, where make puts its variables.
ifeq ($(GPU),1)
bench: packages build
	Tests/Bench/gpu $(RELEASE)
else
bench: packages peers build ## kfrec and its peers: speed, cores, memory, start (ROUNDS=5 SIZES="720 1080 2160" LIVE=20; GPU=1: hardware paths)
	Tests/Bench/bench $(RELEASE) .build/bench.json
	Tests/Bench/batch $(RELEASE) .build/bench-batch.json
endif

# ROUNDS, FRAMES, SIZE, EFFECTS and VULKAN reach them by the environment.
costs: packages build ## what each effect costs a frame, and at the start, beside filters of ffmpeg (ROUNDS=3 SIZE=1280x720 EFFECTS="...")
	Tests/Bench/costs $(RELEASE) .build/costs.json
	Tests/Bench/filters $(RELEASE) .build/costs-filters.json

isf: packages build ## every .fs file below ISF=DIR against OpenGL (the images stay in .build/isf)
	@[ -n "$(ISF)" ] || { \
	  echo "error: name a folder of ISF files, ISF=DIR; many are at https://github.com/Vidvox/ISF-Files" >&2; exit 2; }
	Tests/ISF/run $(RELEASE) .build/isf "$(ISF)"

# What cannot be installed is missing in the table, which says so.
peers:
	@$(MAKE) --no-print-directory packages PACKAGES="$(PEER_PACKAGES)" || \
	  echo "Going on without those that are not installed."

# An up-to-date machine needs neither the network nor root for this. Since Debian 13 some packages have new names and provide the
# old ones, such as libcurl4.
test sharing-test library-test document-test asan tsan fuzz torture bench gallery costs: PACKAGES += $(TEST_PACKAGES)
bench: PACKAGES += time
torture: PACKAGES += zzuf
isf: PACKAGES += $(ISF_PACKAGES)
packages: ## the Debian packages that are missing
	@if ! command -v dpkg-query >/dev/null; then \
	  echo "This is no Debian: make sure of the equivalents of $(PACKAGES)"; exit 0; \
	fi; \
	has=$$(dpkg-query -W -f='$${db:Status-Status}, $${Package}, $${Provides}\n' | sed -n 's/^installed, //p' | tr ',' '\n' | awk '{ print $$1 }'); \
	missing=(); for package in $(PACKAGES); do \
	  grep -qxF -- "$$package" <<<"$$has" || missing+=($$package); \
	done; \
	[ $${#missing[@]} -gt 0 ] || exit 0; \
	echo "Installing Debian packages: $${missing[*]}"; \
	if [ "$$(id -u)" -eq 0 ]; then root=(env); \
	elif command -v sudo >/dev/null; then root=(sudo env); \
	else \
	  echo "This needs root; run: apt-get install --no-install-recommends $${missing[*]}" >&2; exit 1; \
	fi; \
	"$${root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -q update && \
	"$${root[@]}" DEBIAN_FRONTEND=noninteractive \
	  apt-get -q install -y --no-install-recommends "$${missing[@]}"

swift:
	@[ -n "$(SWIFT)" ] || { \
	  echo "error: no Swift toolchain; get 6.3 or later for Debian from https://www.swift.org/install" >&2; \
	  echo "and put its usr/bin on the PATH, or name its folder in SWIFT_TOOLCHAIN" >&2; \
	  exit 1; \
	}
	@if [ $(LIBXML2) != libxml2 ]; then \
	  mkdir -p .build/toolchain && ln -sf /usr/lib/$$(uname -m)-linux-gnu/libxml2.so.16 .build/toolchain/libxml2.so.2; \
	fi

$(RELEASE):
	@$(MAKE) --no-print-directory build

install: $(RELEASE) ## the program and its effects below PREFIX (/usr/local); DESTDIR goes before it
	Packaging/stage $(RELEASE) .build/stage
	TREE=.build/stage DESTDIR="$(DESTDIR)" Packaging/install "$(PREFIX)"

uninstall: ## removes exactly what make install made below PREFIX
	DESTDIR="$(DESTDIR)" Packaging/install --remove "$(PREFIX)"

# What make install and the packages do is in docs/install.md, and how they are made in Packaging/README.md.
deb: PACKAGES += dpkg-dev
deb: packages build ## a package for this Debian: .build/packages/kfrec_VERSION~SUITE_ARCHITECTURE.deb
	Packaging/deb $(RELEASE) .build/packages

# The packages of other suites are made there, and named by DEBS.
apt-repository: PACKAGES += apt-utils gnupg
apt-repository: packages ## a signed repository for apt of packages from make deb (DIR=... KEY=... DEBS="...")
	@[ -n "$(DIR)" ] && [ -n "$(KEY)" ] || { echo 'error: make apt-repository DIR=FOLDER KEY=GPG-KEY' >&2; exit 2; }
	Packaging/apt-repository "$(DIR)" "$(KEY)" $(or $(DEBS),$(wildcard .build/packages/kfrec_*~*.deb))

portable: PACKAGES += $(PORTABLE_PACKAGES)
portable: packages build ## a folder that runs on other distributions: .build/portable/kfrec
	Packaging/libraries .build/portable-libraries
	Packaging/portable $(RELEASE) .build/portable-libraries .build/portable

tarball: portable ## the same with an installer: .build/packages/kfrec-VERSION-x86_64.tar.xz
	Packaging/tarball .build/portable/unpacked/kfrec .build/packages

oci: PACKAGES += mmdebstrap
oci: deb ## an image for container engines: .build/packages/kfrec-VERSION-oci.tar
	Packaging/oci "$$(ls -t .build/packages/kfrec_*.deb | head -n 1)" .build/packages

package-test: PACKAGES += $(PACKAGE_TEST_PACKAGES)
package-test: oci tarball ## installs every package in a bare Debian, records with it, and removes it; as root, half an hour
	SWIFT=$(SWIFT) Tests/Packages/run $(RELEASE) .build/packages .build/portable .build/package-test

golden-update: packages build ## renders golden images again where they are missing or do not match; look at them
	$(RELEASE) golden --update Effects
	git status --short Effects

gallery: packages build ## renders docs/gallery.md and its images again; look at them
	Tests/Gallery/gallery $(RELEASE)

clean: ## nothing but the sources
	rm -rf .build out.mov out.mov.part

help:
	@sed -nE 's/^([a-z-]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20
