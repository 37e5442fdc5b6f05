# paylint alone: node, its libraries and the package, without a shell. `scripts/container.sh` makes the folder `root` and builds the image.
FROM scratch
COPY root/ /
ENV PATH=/usr/bin NODE_DISABLE_COMPILE_CACHE=1
USER 65532:65532
WORKDIR /data
ENTRYPOINT ["paylint"]
