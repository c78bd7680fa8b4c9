# syntax=docker/dockerfile:1.7
# The model server with its models. First its programs, then the models on top:
#   docker build -f infra/docker/Dockerfile --build-arg SERVICE=model-server --build-arg FOLDER=packages/models --build-arg PORTS=8090 -t kiln/model-server:0.2.0 .
#   docker build -f infra/docker/models.Dockerfile -t kiln/models:0.2.0 infra/docker
# KILN_MODELS_URL: a mirror with the paths of the Hugging Face Hub.
ARG SERVER_IMAGE=kiln/model-server:0.2.0
FROM ${SERVER_IMAGE}
ARG MODELS="all-MiniLM-L6-v2 ms-marco-MiniLM-L-6-v2"
ARG KILN_MODELS_URL=https://huggingface.co
# Owned by root: the server cannot change its models.
USER 0:0
ENV KILN_DATA_DIR=/opt/kiln
RUN for model in ${MODELS}; do \
      KILN_MODELS_URL="${KILN_MODELS_URL}" node dist/models.command.js pull "${model}" || exit 1; \
    done
USER 10001:10001
# Each folder in it is a model.
ENV KILN_MODELS_FOLDERS=/opt/kiln/models
