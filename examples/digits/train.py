#!/usr/bin/env python3
"""Trains a small CNN on 8x8 handwritten digits in plain numpy and exports it to ONNX.

Everything is written next to this file:

  digits.onnx        the trained model: `image` float32 [N,1,8,8] in 0..1
                     -> `probabilities` float32 [N,10]
  test_images.bin    the held-out images and labels (layout: see write_test_images)
  test_data_set_0/   the first 32 held-out images and the probabilities that the
                     forward pass below gives for them, in ONNX's test layout
  record.json        the held-out accuracy of that forward pass

The held-out images are looked at once, after training: neither the weights nor
the number of epochs are chosen by them.
"""

import os

# A threaded BLAS may split a sum differently from run to run, which would change
# the trained weights. This has to be set before numpy loads its BLAS.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

import json
import math
import struct
from pathlib import Path

import numpy as np
import onnx
from numpy.lib.stride_tricks import sliding_window_view
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

HERE = Path(__file__).resolve().parent

SEED = 1
HELD_OUT_SHARE = 0.25
CLASSES = 10
MAX_PIXEL = 16  # the data set's pixels are integers 0..16

EPOCHS = 60
BATCH_SIZE = 64
LEARNING_RATE = 2e-3
WEIGHT_DECAY = 1e-2

OPSET = 17
IR_VERSION = 8
SAMPLE_COUNT = 32  # images in test_data_set_0


# ---------------------------------------------------------------------------
# Layers
#
# A layer's forward() keeps what its backward() needs. backward() takes the loss's
# gradient by the layer's output, fills `grads` (same keys as `params`) and returns
# the gradient by its input. Images are NCHW, as in ONNX. Every layer also knows
# its ONNX node, so that the exported graph cannot drift from what was trained.
# ---------------------------------------------------------------------------


class Layer:
    op_type = ""

    def __init__(self, name):
        self.name = name
        self.params = {}
        self.grads = {}

    def forward(self, x):
        raise NotImplementedError

    def backward(self, grad):
        raise NotImplementedError

    def attributes(self):
        return {}

    def onnx_node(self, source, target):
        inputs = [source] + [f"{self.name}.{key}" for key in self.params]
        return helper.make_node(
            self.op_type, inputs, [target], name=self.name, **self.attributes()
        )

    def onnx_initializers(self):
        return [
            numpy_helper.from_array(value, f"{self.name}.{key}")
            for key, value in self.params.items()
        ]


def he_normal(rng, shape):
    """Weights scaled so that ReLU layers keep the variance of their input."""
    fan_in = int(np.prod(shape[1:]))
    return (rng.standard_normal(shape) * np.sqrt(2.0 / fan_in)).astype(np.float32)


class Conv(Layer):
    """3x3 convolution, stride 1, zero padding that keeps the image's size."""

    op_type = "Conv"
    KERNEL = 3
    PAD = 1

    def __init__(self, name, rng, channels_in, channels_out):
        super().__init__(name)
        self.params = {
            "weight": he_normal(rng, (channels_out, channels_in, self.KERNEL, self.KERNEL)),
            "bias": np.zeros(channels_out, np.float32),
        }

    def forward(self, x):
        # im2col: one row per output pixel turns the convolution into one matmul.
        n, c, h, w = self.input_shape = x.shape
        k, p = self.KERNEL, self.PAD
        padded = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)))
        windows = sliding_window_view(padded, (k, k), axis=(2, 3))  # n c h w k k
        self.columns = windows.transpose(0, 2, 3, 1, 4, 5).reshape(n * h * w, c * k * k)
        out = self.columns @ self.flat_weight().T + self.params["bias"]
        return out.reshape(n, h, w, -1).transpose(0, 3, 1, 2)

    def backward(self, grad):
        n, c, h, w = self.input_shape
        k, p = self.KERNEL, self.PAD
        rows = grad.transpose(0, 2, 3, 1).reshape(n * h * w, -1)
        self.grads["weight"] = (rows.T @ self.columns).reshape(self.params["weight"].shape)
        self.grads["bias"] = rows.sum(axis=0)
        # col2im: every kernel tap hands its share back to the pixel it read.
        taps = (rows @ self.flat_weight()).reshape(n, h, w, c, k, k)
        padded = np.zeros((n, c, h + 2 * p, w + 2 * p), grad.dtype)
        for i in range(k):
            for j in range(k):
                padded[:, :, i : i + h, j : j + w] += taps[..., i, j].transpose(0, 3, 1, 2)
        return padded[:, :, p : p + h, p : p + w]

    def flat_weight(self):
        weight = self.params["weight"]
        return weight.reshape(weight.shape[0], -1)

    def attributes(self):
        return {"kernel_shape": [self.KERNEL] * 2, "strides": [1, 1], "pads": [self.PAD] * 4}


class Relu(Layer):
    op_type = "Relu"

    def forward(self, x):
        self.positive = x > 0
        return x * self.positive

    def backward(self, grad):
        return grad * self.positive


class MaxPool(Layer):
    """2x2 maximum, stride 2."""

    op_type = "MaxPool"
    SIZE = 2

    def forward(self, x):
        n, c, h, w = self.input_shape = x.shape
        s = self.SIZE
        blocks = x.reshape(n, c, h // s, s, w // s, s).transpose(0, 1, 2, 4, 3, 5)
        blocks = blocks.reshape(n, c, h // s, w // s, s * s)
        self.winner = blocks.argmax(axis=-1)[..., None]
        return np.take_along_axis(blocks, self.winner, axis=-1)[..., 0]

    def backward(self, grad):
        n, c, h, w = self.input_shape
        s = self.SIZE
        blocks = np.zeros((n, c, h // s, w // s, s * s), grad.dtype)
        np.put_along_axis(blocks, self.winner, grad[..., None], axis=-1)
        blocks = blocks.reshape(n, c, h // s, w // s, s, s).transpose(0, 1, 2, 4, 3, 5)
        return blocks.reshape(n, c, h, w)

    def attributes(self):
        return {"kernel_shape": [self.SIZE] * 2, "strides": [self.SIZE] * 2}


class Flatten(Layer):
    op_type = "Flatten"

    def forward(self, x):
        self.input_shape = x.shape
        return x.reshape(len(x), -1)

    def backward(self, grad):
        return grad.reshape(self.input_shape)

    def attributes(self):
        return {"axis": 1}


class Gemm(Layer):
    """Dense layer; the weight is stored [out, in], hence transB."""

    op_type = "Gemm"

    def __init__(self, name, rng, features_in, features_out):
        super().__init__(name)
        self.params = {
            "weight": he_normal(rng, (features_out, features_in)),
            "bias": np.zeros(features_out, np.float32),
        }

    def forward(self, x):
        self.input = x
        return x @ self.params["weight"].T + self.params["bias"]

    def backward(self, grad):
        self.grads["weight"] = grad.T @ self.input
        self.grads["bias"] = grad.sum(axis=0)
        return grad @ self.params["weight"]

    def attributes(self):
        return {"transB": 1}


class Softmax(Layer):
    """Last layer only; Network.backward_from_labels differentiates it with the loss."""

    op_type = "Softmax"

    def forward(self, x):
        # Subtracting the maximum changes nothing but keeps exp() from overflowing.
        powers = np.exp(x - x.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def attributes(self):
        return {"axis": 1}


# ---------------------------------------------------------------------------
# Network
# ---------------------------------------------------------------------------


class Network:
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward_from_labels(self, probabilities, labels):
        """Backpropagates the mean cross-entropy of the last forward pass."""
        # Softmax and cross-entropy together have the simple gradient p - onehot by
        # the logits; apart, they would divide by probabilities that may vanish.
        grad = probabilities.copy()
        grad[np.arange(len(labels)), labels] -= 1
        grad /= len(labels)
        for layer in reversed(self.layers[:-1]):
            grad = layer.backward(grad)

    def parameter_count(self):
        return sum(value.size for layer in self.layers for value in layer.params.values())


def build_network(rng):
    return Network([
        Conv("conv1", rng, 1, 16),                  # N  1 8 8 -> N 16 8 8
        Relu("relu1"),
        Conv("conv2", rng, 16, 32),                 #          -> N 32 8 8
        Relu("relu2"),
        MaxPool("pool"),                            #          -> N 32 4 4
        Flatten("flatten"),                         #          -> N 512
        Gemm("dense1", rng, 32 * 4 * 4, 64),        #          -> N 64
        Relu("relu3"),
        Gemm("dense2", rng, 64, CLASSES),           #          -> N 10
        Softmax("softmax"),
    ])


# ---------------------------------------------------------------------------
# Training
# ---------------------------------------------------------------------------


class Adam:
    """Adam with decoupled weight decay (AdamW); biases are not decayed."""

    BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8

    def __init__(self, layers):
        self.step_count = 0
        self.slots = [
            (layer, key, np.zeros_like(value), np.zeros_like(value))
            for layer in layers
            for key, value in layer.params.items()
        ]

    def step(self, learning_rate):
        self.step_count += 1
        # The moments start at zero; these undo the bias that gives early steps.
        unbias1 = 1 - self.BETA1**self.step_count
        unbias2 = 1 - self.BETA2**self.step_count
        for layer, key, mean, square in self.slots:
            value, grad = layer.params[key], layer.grads[key]
            mean += (1 - self.BETA1) * (grad - mean)
            square += (1 - self.BETA2) * (grad * grad - square)
            if key == "weight":
                value -= learning_rate * WEIGHT_DECAY * value
            value -= learning_rate * (mean / unbias1) / (np.sqrt(square / unbias2) + self.EPSILON)


def shift_randomly(images, rng):
    """Moves every image by -1, 0 or 1 pixel in each direction, filling with zeros."""
    n, _, h, w = images.shape
    padded = np.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = sliding_window_view(padded, (h, w), axis=(2, 3))  # n 1 3 3 h w
    dy, dx = rng.integers(0, 3, size=(2, n))
    return windows[np.arange(n), :, dy, dx]


def cosine_decay(epoch):
    """From LEARNING_RATE down to nearly 0: the last epochs settle the weights."""
    return LEARNING_RATE * 0.5 * (1 + math.cos(math.pi * epoch / EPOCHS))


def train(network, images, labels, rng):
    optimizer = Adam(network.layers)
    for epoch in range(EPOCHS):
        order = rng.permutation(len(images))
        loss = 0.0
        for start in range(0, len(order), BATCH_SIZE):
            batch = order[start : start + BATCH_SIZE]
            probabilities = network.forward(shift_randomly(images[batch], rng))
            loss += cross_entropy_sum(probabilities, labels[batch])
            network.backward_from_labels(probabilities, labels[batch])
            optimizer.step(cosine_decay(epoch))
        if (epoch + 1) % 10 == 0:
            print(f"epoch {epoch + 1:3d}: training loss {loss / len(images):.4f}")


def cross_entropy_sum(probabilities, labels):
    chosen = probabilities[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(chosen, 1e-30)).sum())


# ---------------------------------------------------------------------------
# Data
# ---------------------------------------------------------------------------


def load_split():
    """Returns (train pixels, held-out pixels, train labels, held-out labels)."""
    digits = load_digits()
    pixels = digits.images.astype(np.uint8)
    return train_test_split(
        pixels,
        digits.target,
        test_size=HELD_OUT_SHARE,
        stratify=digits.target,
        random_state=SEED,
    )


def to_network_input(pixels):
    """uint8 [N,8,8] in 0..16 -> float32 [N,1,8,8] in 0..1 (exact: 16 is a power of two)."""
    return (pixels.astype(np.float32) / MAX_PIXEL)[:, None]


# ---------------------------------------------------------------------------
# Output
# ---------------------------------------------------------------------------


def export_onnx(network, path):
    nodes, initializers = [], []
    source = "image"
    for layer in network.layers:
        is_last = layer is network.layers[-1]
        target = "probabilities" if is_last else f"{layer.name}_out"
        nodes.append(layer.onnx_node(source, target))
        initializers += layer.onnx_initializers()
        source = target
    graph = helper.make_graph(
        nodes,
        "digits",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["N", 1, 8, 8])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["N", CLASSES])],
        initializers,
    )
    model = helper.make_model(
        graph,
        producer_name="ge-digits-example",
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    onnx.checker.check_model(model, full_check=True)
    path.write_bytes(model.SerializeToString(deterministic=True))


def write_test_images(pixels, labels, path):
    """Writes the held-out images; all integers are little endian.

    offset            size                  content
    0                 8                     magic, the ASCII characters GEDIGITS
    8                 4                     uint32 count
    12                4                     uint32 height
    16                4                     uint32 width
    20                count*height*width    uint8 pixels, 0 (blank) .. 16 (ink), row by row
    20 + the above    count                 uint8 labels, 0..9
    """
    header = b"GEDIGITS" + struct.pack("<3I", *pixels.shape)
    path.write_bytes(header + pixels.astype(np.uint8).tobytes() + labels.astype(np.uint8).tobytes())


def write_sample(images, probabilities, folder):
    folder.mkdir(exist_ok=True)
    write_tensor(images, "image", folder / "input_0.pb")
    write_tensor(probabilities, "probabilities", folder / "output_0.pb")


def write_tensor(array, name, path):
    tensor = numpy_helper.from_array(np.ascontiguousarray(array, np.float32), name)
    path.write_bytes(tensor.SerializeToString(deterministic=True))


def write_record(correct, count, parameters, path):
    record = {
        "accuracy": correct / count,
        "correct": correct,
        "count": count,
        "parameters": parameters,
        "seed": SEED,
    }
    # Bytes, not text: the same line ends on every system.
    path.write_bytes((json.dumps(record, indent=2) + "\n").encode())


def main():
    train_pixels, test_pixels, train_labels, test_labels = load_split()
    rng = np.random.default_rng(SEED)
    network = build_network(rng)
    train(network, to_network_input(train_pixels), train_labels, rng)

    test_images = to_network_input(test_pixels)
    correct = int((network.forward(test_images).argmax(axis=1) == test_labels).sum())

    export_onnx(network, HERE / "digits.onnx")
    write_test_images(test_pixels, test_labels, HERE / "test_images.bin")
    sample = test_images[:SAMPLE_COUNT]
    write_sample(sample, network.forward(sample), HERE / "test_data_set_0")
    write_record(correct, len(test_labels), network.parameter_count(), HERE / "record.json")
    print(f"held out: {correct} of {len(test_labels)} correct")


if __name__ == "__main__":
    main()
